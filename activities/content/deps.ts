import type { ContentSlots } from '../../db/content/runs.ts'
import type { AudioPort } from '../../providers/audio/index.ts'
import type { ActivityDeps } from '../deps.ts'

/** What videos are made of here, and how many at a time. */
export type ContentSettings = {
  audio: AudioPort
  /** For files that are looked at. */
  folder: string
  slots: ContentSlots
  clipSeconds: number
}

export type ContentDeps = Pick<
  ActivityDeps,
  'db' | 'codeHost' | 'models' | 'render' | 'store' | 'files' | 'platform' | 'settings' | 'content' | 'log'
>
