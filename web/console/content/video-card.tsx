import { Link } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Video } from '../media/video.tsx'
import { isLive } from '../parts/live.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Status, Time } from '../parts/words.tsx'
import { recreateVideo, describeStage, type ContentVideo } from './videos.ts'

export function VideoCard({ video }: { video: ContentVideo }) {
  const { runId, status, artist_name: artist, audio, captionText, template, error, cancellable, createdAt } = video
  const song = audio?.songTitle
  const cancel = () => refreshAfter(api.DELETE('/api/tasks/runs', { query: { runId } }), 'videos')
  const recreate = () => refreshAfter(recreateVideo(video, forAccount()), 'videos')
  const remove = () => refreshAfter(api.DELETE('/api/content/videos/{runId}', { path: { runId } }), 'videos')
  return (
    <li>
      <Frame video={video} />
      <h2>
        <Link to={`/runs/${runId}`}>{artist}</Link>
      </h2>
      {song !== undefined && <p className="song">{song}</p>}
      {captionText !== '' && <p className="verbatim">{captionText}</p>}
      <p className="quiet">
        {status !== 'completed' && <Status of={status} />} <Time at={createdAt} /> · {template}
        {video.lipsync && ' · lip sync'}
      </p>
      {error !== null && <p className="inline-error">{error}</p>}
      <div className="buttons">
        {cancellable && <Action name="Cancel" onAct={cancel} />}
        {!isLive(status) && video.artist_account_id !== null && <Action name="Create another" onAct={recreate} />}
        {!isLive(status) && <Action name="Delete" onAct={remove} confirm="Delete the video and its files?" />}
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
