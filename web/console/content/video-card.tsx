import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { Video } from '../media/video.tsx'
import { isLive } from '../parts/live.ts'
import { Action } from '../parts/action.tsx'
import { Status, Time } from '../parts/words.tsx'
import { cancelVideo, deleteVideo, createAgain, describeStage, type ContentVideo } from './videos.ts'

export function VideoCard({ video }: { video: ContentVideo }) {
  const queries = useQueryClient()
  const { runId, status, artist_name: artist, audio, captionText, template, error, cancellable, createdAt } = video
  const after = async (changing: Promise<unknown>): Promise<void> => {
    await changing
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
      {captionText !== '' && <p className="said">{captionText}</p>}
      <p className="quiet">
        {status !== 'completed' && <Status of={status} />} <Time at={createdAt} /> · {template}
        {video.lipsync && ' · lipsync'}
      </p>
      {error !== null && <p className="wrong">{error}</p>}
      <div className="buttons">
        {cancellable && <Action onAct={() => after(cancelVideo(video))}>Cancel</Action>}
        {!isLive(status) && video.artist_account_id !== null && (
          <Action onAct={() => after(createAgain(video, forAccount()))}>Create another</Action>
        )}
        {!isLive(status) && (
          <Action onAct={() => after(deleteVideo(video))} confirm="Delete the video and its files?">
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
