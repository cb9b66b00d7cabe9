import type { components, operations } from '../../../client/schema.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'

export type ContentVideo = components['schemas']['ContentVideo']
export type ContentBody = operations['postContentCreate']['requestBody']['content']['application/json']

const stages: Record<string, string> = {
  waiting: 'waits for a place',
  sources: 'picture and song',
  caption: 'caption',
  queued: 'waits for the renderer',
  rendering: 'rendering',
  storing: 'storing',
}

/** How far a video is, in words. */
export function stageInWords({ stage, message }: Pick<ContentVideo, 'stage' | 'message'>): string {
  return [stage === null ? 'accepted' : (stages[stage] ?? stage), message].filter(Boolean).join(': ')
}

export function cancelVideo({ runId }: ContentVideo): Promise<unknown> {
  return read(api.DELETE('/api/tasks/runs', { params: { query: { runId } } }))
}

/** Also its files, whose bytes are free then. */
export function deleteVideo({ runId }: ContentVideo): Promise<unknown> {
  return read(api.DELETE('/api/content/videos/{runId}', { params: { path: { runId } } }))
}

export async function readVideo(runId: string): Promise<ContentVideo> {
  return (await read(api.GET('/api/content/videos/{runId}', { params: { path: { runId } } }))).video
}

/** Requests the same video again for the same payer; returns the id of its run. */
export async function makeAgain(video: ContentVideo, paidBy: { account_id?: string }): Promise<string> {
  const {
    artist_account_id: artistId,
    template,
    lipsync,
    upscale,
    caption_length: captionLength,
    songs,
    images,
  } = video
  if (artistId === null) throw new Error('Its artist is not there any more.')
  const body: ContentBody = {
    ...paidBy,
    artist_account_id: artistId,
    // One that is not offered any more is refused.
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
