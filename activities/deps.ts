import type { Logger } from 'pino'
import type { Pool } from '../db/postgres/client.ts'
import type { Notifier } from '../db/postgres/notify.ts'
import type { ProcessLock } from '../db/postgres/process-lock.ts'
import type { StreamWriter } from '../db/log/writer.ts'
import type { BlobPort } from '../providers/blob/index.ts'
import type { CodeHostPort } from '../providers/code-host/index.ts'
import type { FileFetch } from '../providers/egress/files.ts'
import type { EgressPort } from '../providers/egress/index.ts'
import type { MailPort } from '../providers/mail/index.ts'
import type { ModelPort } from '../providers/model/index.ts'
import type { PaymentPort } from '../providers/payment/index.ts'
import type { RenderPort } from '../providers/render/index.ts'
import type { SandboxPort } from '../providers/sandbox/index.ts'
import type { TurnTerms } from '../domain/chat/turn-terms.ts'
import type { LifecycleTimes } from '../domain/sandboxes/lifecycle.ts'
import type { PlanRules } from '../domain/credits/plans.ts'
import type { ScraperPort } from '../providers/scraper/index.ts'
import type { StorePort } from '../providers/store/index.ts'
import type { TeamChatPort } from '../providers/team-chat/index.ts'
import type { StreamingPort } from '../providers/streaming/index.ts'
import type { ProfileHosts } from '../domain/artists/profiles.ts'
import type { CaptureTerms } from '../db/measurements/accept.ts'
import type { ContentSettings } from './content/deps.ts'
import type { Batches } from './chat/batches.ts'
import type { StopSignals } from './runtime/stops.ts'

/** What activities may do by setting. Milliseconds where a name says so. */
type ActivitySettings = {
  sandboxLifetimeMs: number
  sandboxIdleMs: number
  /** A repository whose sandbox took this long to be made gets a base. */
  prepareAfterMs: number
  lifecycle: LifecycleTimes
  turns: TurnTerms
  stepLimit: number
  runTimeLimitMs: number
  /** Characters of one model call. */
  modelOutputLimit: number
  /** Whether chats that do not say so have their earlier turns summarised when the window is nearly full. */
  autoCompact?: boolean | undefined
  /** Model of commit messages. */
  smallModel: string
  /** Model of sub-agents; undefined: that of the turn. */
  subAgentModel?: string | undefined
}

/** The API, and what lets a run act as its owner there. */
export type Platform = {
  /** Where the world reaches the API. */
  baseUrl: string
  /** Where this process reaches it. */
  apiUrl: string
  serverSecret: string
}

export type ActivityDeps = {
  db: Pool
  writer: StreamWriter
  notifier: Notifier
  stops: StopSignals
  /** The steps of turns that this process runs. */
  batches: Pick<Batches, 'join' | 'follow'>
  models: ModelPort
  payments: PaymentPort
  /** What the payment provider has for one answer, where a person adds credits, and what refills bring. */
  billing: { timeoutMs: number; url: string; plans: PlanRules }
  egress: EgressPort
  /** Files behind addresses that providers gave. */
  files: FileFetch
  sandboxes: SandboxPort
  codeHost: CodeHostPort
  /** Asks whoever watches the lifecycle of a session to look at it. Does not wait, and may be lost. */
  wakeSandbox: (sessionId: string) => void
  /** Asks the engine for an accepted run. */
  startTurn: (runId: string, options: { headless: boolean; bounded?: boolean }) => Promise<void>
  /** Starts the build of a repository's base, one at a time for each. Does not wait, and may be lost. */
  prepareBase: (cloneUrl: string) => void
  blobs: BlobPort
  render: RenderPort
  /** Finished media. */
  store: StorePort
  content: ContentSettings
  chat: TeamChatPort
  streaming: StreamingPort
  scraper: ScraperPort
  /** Runs of the scraper at the same time. */
  scraperSlots: { all: number; ofAccount: number }
  /** Signals a batch of profiles that a slot may be free. Does not wait, and may be lost. */
  wakeScrape: (batchRunId: string) => void
  /** What this deployment measures, and asks for it. */
  catalogs: {
    /** Releases of an artist that a valuation measures at most. */
    maxReleases: number
    terms: CaptureTerms
    profileHosts: ProfileHosts
    webAppUrl: string
  }
  mail: MailPort
  /** Sender of every mail. */
  mailFrom: string
  settings: ActivitySettings
  platform: Platform
  log: Logger
  /** This process's advisory lock: other workers answer for whoever has lost it. */
  lock: Pick<ProcessLock, 'processId' | 'held' | 'settled'>
  /** What runs of tasks are given, and what they must pass, as turns that somebody asks for. */
  taskRuns: {
    defaultModel: string
    modelAllowList: string[] | undefined
    requireCredits: boolean
    plans: PlanRules
    /** The build of this process. */
    buildId: string
  }
}
