import type { operations } from '../../../client/schema.ts'
import { api, type Schemas } from '../access/api.ts'

export type ContentVideo = Schemas['ContentVideo']
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

export async function readVideo(runId: string): Promise<ContentVideo> {
  return (await api.GET('/api/content/videos/{runId}', { path: { runId } })).video
}

/** Requests another video with the same settings, charged to `account`. Returns the id of its run. */
export async function recreateVideo(video: ContentVideo, account: { account_id?: string }): Promise<string> {
  const { artist_account_id: artist, template, lipsync, upscale, caption_length, songs, images } = video
  if (artist === null) throw new Error('The artist of this video no longer exists.')
  const body: ContentBody = {
    ...account,
    artist_account_id: artist,
    // The API rejects a template that no longer exists.
    template: template as NonNullable<ContentBody['template']>,
    lipsync,
    upscale,
    caption_length,
    batch: 1,
    ...(songs.length > 0 && { songs }),
    ...(images.length > 0 && { images }),
  }
  const { runIds } = await api.POST('/api/content/create', { body })
  return runIds[0] ?? ''
}
