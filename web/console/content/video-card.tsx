import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { Video } from '../media/video.tsx'
import { isLive } from '../parts/live.ts'
import { Action } from '../parts/action.tsx'
import { Status, Time } from '../parts/words.tsx'
import { cancelVideo, deleteVideo, recreateVideo, describeStage, type ContentVideo } from './videos.ts'

export function VideoCard({ video }: { video: ContentVideo }) {
  const queries = useQueryClient()
  const { runId, status, artist_name: artist, audio, captionText, template, error, cancellable, createdAt } = video
  const refreshAfter = async (change: Promise<unknown>): Promise<void> => {
    await change
    await queries.invalidateQueries({ queryKey: ['videos'] })
  }
  const song = audio === null ? undefined : audio.songTitle
  return (
    <li>
      <Frame video={video} />
      <h2>
        <Link to="/runs/$runId" params={{ runId }}>
          {artist}
        </Link>
      </h2>
      {song !== undefined && <p className="song">{song}</p>}
      {captionText !== '' && <p className="verbatim">{captionText}</p>}
      <p className="quiet">
        {status !== 'completed' && <Status of={status} />} <Time at={createdAt} /> · {template}
        {video.lipsync && ' · lip sync'}
      </p>
      {error !== null && <p className="inline-error">{error}</p>}
      <div className="buttons">
        {cancellable && <Action onAct={() => refreshAfter(cancelVideo(video))}>Cancel</Action>}
        {!isLive(status) && video.artist_account_id !== null && (
          <Action onAct={() => refreshAfter(recreateVideo(video, forAccount()))}>Create another</Action>
        )}
        {!isLive(status) && (
          <Action onAct={() => refreshAfter(deleteVideo(video))} confirm="Delete the video and its files?">
            Delete
          </Action>
        )}
      </div>
    </li>
  )
}

function Frame({ video }: { video: ContentVideo }) {
  const { videoSourceUrl: url, imageUrl, artist_name: artist, audio } = video
  if (url !== null)
    return <Video url={url} poster={imageUrl} name={[artist, audio?.songTitle].filter(Boolean).join(', ')} />
  return (
    <div className="frame" role={isLive(video.status) ? 'status' : undefined}>
      {isLive(video.status) ? describeStage(video) : 'No video'}
    </div>
  )
}
