import type { ContentSlots } from '../../db/content/runs.ts'
import type { AudioPort } from '../../providers/audio/index.ts'
import type { ActivityDeps } from '../deps.ts'

/** Providers of the video pipeline and its concurrency limits. */
export type ContentSettings = {
  audio: AudioPort
  /** Folder for temporary files that are inspected. */
  folder: string
  slots: ContentSlots
  clipSeconds: number
  /** Price in credits of a video that the team chat agent makes. */
  creditsPerVideo: number
  /** Account ids by team chat workspace. */
  accounts: Readonly<Record<string, string>>
  adminOrganizationId: string | undefined
  /** Secret of the callback; undefined disables the callback. */
  callbackSecret: string | undefined
  /** Calls to the workflow engine. */
  engine: {
    startJob(job: { id: string; taskIdentifier: string }): Promise<void>
    deliverPosts(threadId: string): Promise<void>
    /** Signals a polling run that one of its runs has ended. */
    wakePoll(pollRunId: string): Promise<void>
  }
}

export type ContentDeps = Pick<
  ActivityDeps,
  | 'db'
  | 'codeHost'
  | 'models'
  | 'render'
  | 'store'
  | 'files'
  | 'platform'
  | 'settings'
  | 'content'
  | 'chat'
  | 'billing'
  | 'taskRuns'
  | 'log'
>
