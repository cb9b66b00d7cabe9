import type { components, operations } from '../../../client/schema.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'

export type ContentVideo = components['schemas']['ContentVideo']
export type ContentBody = operations['postContentCreate']['requestBody']['content']['application/json']

const stages: Record<string, string> = {
  waiting: 'waiting for a slot',
  sources: 'selecting the image and song',
  caption: 'writing the caption',
  queued: 'waiting for the renderer',
  rendering: 'rendering',
  storing: 'saving the video',
}

/** Describes the progress of a video. */
export function describeStage({ stage, message }: Pick<ContentVideo, 'stage' | 'message'>): string {
  return [stage === null ? 'accepted' : (stages[stage] ?? stage), message].filter(Boolean).join(': ')
}

export function cancelVideo({ runId }: ContentVideo): Promise<unknown> {
  return read(api.DELETE('/api/tasks/runs', { params: { query: { runId } } }))
}

/** Deletes a video and its files, which frees their storage. */
export function deleteVideo({ runId }: ContentVideo): Promise<unknown> {
  return read(api.DELETE('/api/content/videos/{runId}', { params: { path: { runId } } }))
}

export async function readVideo(runId: string): Promise<ContentVideo> {
  return (await read(api.GET('/api/content/videos/{runId}', { params: { path: { runId } } }))).video
}

/** Requests another video with the same settings, charged to `account`. Returns the id of its run. */
export async function recreateVideo(video: ContentVideo, account: { account_id?: string }): Promise<string> {
  const {
    artist_account_id: artistId,
    template,
    lipsync,
    upscale,
    caption_length: captionLength,
    songs,
    images,
  } = video
  if (artistId === null) throw new Error('The artist of this video no longer exists.')
  const body: ContentBody = {
    ...account,
    artist_account_id: artistId,
    // The API rejects a template that no longer exists.
    template: template as NonNullable<ContentBody['template']>,
    lipsync,
    upscale,
    caption_length: captionLength,
    batch: 1,
    ...(songs.length > 0 && { songs }),
    ...(images.length > 0 && { images }),
  }
  const { runIds } = await read(api.POST('/api/content/create', { body }))
  return runIds[0] ?? ''
}
