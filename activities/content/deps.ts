import type { ContentSlots } from '../../db/content/runs.ts'
import type { AudioPort } from '../../providers/audio/index.ts'
import type { ModelPort } from '../../providers/model/index.ts'
import type { TeamChatPort } from '../../providers/team-chat/index.ts'
import type { HostDeps } from '../deps.ts'
import type { RenderDeps } from '../jobs/renders.ts'
import type { TaskRunDeps } from '../tasks/start.ts'

/** Settings, providers and engine calls of the video pipeline and of the team chat agent that starts videos. */
type ContentSettings = {
  audio: AudioPort
  /** Folder for temporary copies of media files under inspection. */
  folder: string
  slots: ContentSlots
  clipSeconds: number
  /** Price in credits of a video that the team chat agent makes. */
  creditsPerVideo: number
  /** Account that pays for the videos of a team chat workspace, by workspace id. */
  accounts: Readonly<Record<string, string>>
  adminOrganizationId: string | undefined
  /** Secret that authenticates the callback; undefined disables the callback. */
  callbackSecret: string | undefined
  /** Calls to Temporal. */
  engine: {
    startJob(job: { id: string; jobKind: string }): Promise<void>
    deliverPosts(threadId: string): Promise<void>
    /** Signals a polling run that one of its runs has ended. */
    wakePoll(pollRunId: string): Promise<void>
  }
}

export type ContentDeps = RenderDeps &
  HostDeps &
  TaskRunDeps & {
    models: ModelPort
    chat: TeamChatPort
    content: ContentSettings
    /** `smallModel`: writes captions. */
    settings: { smallModel: string }
  }
