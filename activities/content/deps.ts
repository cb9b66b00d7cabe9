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
  /** Credits of a video that the agent of the team chat is asked for. */
  creditsPerVideo: number
  /** Accounts of workspaces of the team chat. */
  accounts: Readonly<Record<string, string>>
  adminOrganizationId: string | undefined
  /** Opens the callback; undefined: nobody may report there. */
  callbackSecret: string | undefined
  /** What is asked of the workflow engine. */
  engine: {
    startJob(job: { id: string; taskIdentifier: string }): Promise<void>
    deliverPosts(threadId: string): Promise<void>
    /** Tells the run that waits for others that one of them has ended. */
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
