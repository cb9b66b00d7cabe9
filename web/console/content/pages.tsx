import { api } from '../access/api.ts'
import { forAccount } from '../access/acting.ts'
import { read } from '../access/failure.ts'
import { UploadToArtist } from '../files/upload-to-artist.tsx'
import { isLive } from '../parts/live.ts'
import { useCursorList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { NewVideos } from './new-videos.tsx'
import { VideoCard } from './video-card.tsx'

const refetchMs = 1500
const pageLength = 24

export function ContentPage() {
  const list = useCursorList({
    key: ['videos'],
    fetchPage: async (cursor) => {
      const query = { limit: pageLength, ...forAccount(), ...cursor }
      const { videos, next_cursor: next } = await read(api.GET('/api/content/videos', { params: { query } }))
      return { rows: videos, next }
    },
    refetchMs: (videos) => videos.some(({ status }) => isLive(status)) && refetchMs,
  })
  return (
    <Page
      title="Content"
      lead="Short vertical videos: an image of an artist, the most energetic part of a song, and a caption."
    >
      <details className="fold">
        <summary>Create videos</summary>
        <NewVideos />
      </details>
      <details className="fold">
        <summary>Add images and songs for an artist</summary>
        <UploadToArtist />
      </details>
      <Rows
        list={list}
        empty={
          <p>No videos yet. Add images and songs for an artist, or have their URLs ready, then open “Create videos”.</p>
        }
      >
        {(videos) => (
          <ul className="videos">
            {videos.map((video) => (
              <VideoCard key={video.runId} video={video} />
            ))}
          </ul>
        )}
      </Rows>
    </Page>
  )
}
