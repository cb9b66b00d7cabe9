import { api } from '../access/api.ts'
import { forAccount } from '../access/acting.ts'
import { UploadToArtist } from '../files/upload-to-artist.tsx'
import { isLive } from '../parts/live.ts'
import { useCursorList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Fold, Page } from '../parts/page.tsx'
import { NewVideos } from './new-videos.tsx'
import { VideoCard } from './video-card.tsx'

const refetchMs = 1500
const pageLength = 24

export function ContentPage() {
  const list = useCursorList(
    ['videos'],
    (range) => api.GET('/api/content/videos', { query: { ...range, limit: pageLength, ...forAccount() } }),
    ({ videos }) => videos,
    { refetchMs: (videos) => videos.some(({ status }) => isLive(status)) && refetchMs },
  )
  return (
    <Page
      title="Content"
      lead="Short vertical videos: an image of an artist, the most energetic part of a song, and a caption."
    >
      <Fold title="Create videos">
        <NewVideos />
      </Fold>
      <Fold title="Add images and songs for an artist">
        <UploadToArtist />
      </Fold>
      <Rows
        list={list}
        empty="No videos yet. Add images and songs for an artist, or have their URLs ready, then open “Create videos”."
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
