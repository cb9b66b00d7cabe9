import { contentTemplates } from '../templates/index.ts'
import type { Callback, RunResult } from './callback.ts'
import type { MentionRequest } from './mention.ts'

/** Post in a thread, sent once per key. The text is the caption of `file`, if there is one. */
export type ChatPost = { key: string; text: string; file?: { url: string; name: string } }

/** Replies that explain why no video was started. */
export const refusals = {
  notLinked: 'This workspace is not linked to an account here, so I cannot create videos for it.',
  usage:
    'Mention me with the id of an artist: <artist id> [template] [batch=1 to 30] [lipsync]. For example: ' +
    '9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68 artist-caption-stage batch=3',
  unknownArtist: 'I do not know this artist, or the account of this workspace has no access to it.',
  noSources: 'The account of this workspace has no source repository with images and songs for videos.',
  notCovered: 'The credits of the account of this workspace do not cover these videos.',
  working: 'I am still working on the videos of this thread. They will be posted here.',
} as const

export function unknownTemplate(template: string): string {
  const templateNames = contentTemplates.map(({ name }) => name).join(', ')
  return `I do not know the template ${template.slice(0, 80)}. Available templates: ${templateNames}.`
}

export function acknowledgement({ template, batch, lipsync }: MentionRequest, artistName: string): string {
  const videos = batch === 1 ? 'a video' : `${batch} videos`
  const style = lipsync ? `${template}, with lip sync` : template
  return `Creating ${videos} for ${artistName} (${style}). This takes about 5 to 10 minutes; I will post here.`
}

/**
 * Creates the posts that report the end of a thread's runs. `key` identifies this round of the thread. `usable` holds the
 * videos to post.
 */
export function createPosts(
  callback: Callback,
  { key, usable }: { key: string; usable: readonly RunResult[] },
): ChatPost[] {
  const { status, message, results } = callback
  const closing = `end:${key}`
  if (status === 'failed') return [{ key: closing, text: message?.trim() || 'The videos could not be created.' }]
  if (status === 'timeout')
    return [{ key: closing, text: 'The videos were not finished within 30 minutes, so I stopped waiting for them.' }]
  if (usable.length === 0) return [{ key: closing, text: 'The runs ended without a video that can be posted.' }]
  const failed = results.length - usable.length
  const videos = usable.map(({ runId, videoUrl = '', captionText = '' }, index) => {
    const number = usable.length === 1 ? '' : `Video ${index + 1} of ${usable.length}`
    const text = [number, captionText].filter(Boolean).join('\n') || 'Here is the video.'
    return { key: runId, text, file: { url: videoUrl, name: `video-${index + 1}-${runId}.mp4` } }
  })
  const shortfall = failed === 1 ? '1 video could not be created.' : `${failed} videos could not be created.`
  return failed === 0 ? videos : [...videos, { key: closing, text: shortfall }]
}
