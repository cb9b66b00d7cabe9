import type { Logger } from 'pino'
import type { Pool } from '../db/postgres/client.ts'
import type { Notifier } from '../db/postgres/channels/notify.ts'
import type { ProcessLock } from '../db/postgres/process-lock.ts'
import type { StreamWriter } from '../db/log/writer.ts'
import type { BlobPort } from '../providers/blob/index.ts'
import type { CodeHostPort } from '../providers/code-host/index.ts'
import type { FileFetcher } from '../providers/egress/files.ts'
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
import type { Checkpoints } from './sandboxes/checkpoints.ts'
import type { StopSignals } from './runtime/stop-signals.ts'

/** Settings of activities. */
type ActivitySettings = {
  sandboxLifetimeMs: number
  sandboxIdleTimeoutMs: number
  /** Creation time of a sandbox from which its repository gets a base snapshot. */
  prepareAfterMs: number
  lifecycle: LifecycleTimes
  turns: TurnTerms
  stepLimit: number
  runTimeLimitMs: number
  /** Maximum characters of the output of one model call. */
  modelOutputLimit: number
  /** Whether a chat without its own setting has earlier turns summarized when the context window is nearly full. */
  autoCompact?: boolean | undefined
  /** Model that writes commit messages and captions. */
  smallModel: string
  /** Model of sub-agents; undefined uses the model of the turn. */
  subAgentModel?: string | undefined
}

/** Addresses of the API, and the secret from which the keys of runs are derived. */
export type Platform = {
  /** Public URL of the API. */
  baseUrl: string
  /** URL at which this process reaches the API. */
  apiUrl: string
  serverSecret: string
}

export type ActivityDeps = {
  db: Pool
  writer: StreamWriter
  notifier: Notifier
  stops: StopSignals
  /** The batches of turns that this process runs. */
  batches: Pick<Batches, 'join' | 'follow' | 'endedAhead'>
  models: ModelPort
  payments: PaymentPort
  /** Timeout of a payment request, URL of the page where an account adds credits, and rules of the plans. */
  billing: { timeoutMs: number; url: string; plans: PlanRules }
  egress: EgressPort
  /** Fetches files from addresses that providers return. */
  files: FileFetcher
  sandboxes: SandboxPort
  /** Undefined unless the sandboxes of a fleet have checkpoints. */
  checkpoints?: Checkpoints | undefined
  codeHost: CodeHostPort
  /**
   * Signals the workflow that watches the lifecycle of a session's sandbox. Does not wait; the signal may be lost.
   */
  wakeSandbox: (sessionId: string) => void
  /** Starts the workflow of an accepted run. */
  startTurn: (runId: string, options: { headless: boolean; bounded?: boolean }) => Promise<void>
  /** Starts the build of a repository's base snapshot, one at a time per repository. Does not wait; the start may be lost. */
  prepareBase: (cloneUrl: string) => void
  blobs: BlobPort
  render: RenderPort
  /** Storage of finished media. */
  store: StorePort
  content: ContentSettings
  chat: TeamChatPort
  streaming: StreamingPort
  scraper: ScraperPort
  /** Maximum number of concurrent scraper runs. */
  scraperSlots: { all: number; perAccount: number }
  /** Signals a batch of profiles that a slot may be free. Does not wait; the signal may be lost. */
  wakeScrape: (batchRunId: string) => void
  /** Settings of catalog measurements and valuations. */
  catalogs: {
    /** Maximum number of releases of an artist that a valuation measures. */
    maxReleases: number
    terms: CaptureTerms
    profileHosts: ProfileHosts
    webAppUrl: string
  }
  mail: MailPort
  /** Sender address of every email. */
  mailFrom: string
  settings: ActivitySettings
  platform: Platform
  log: Logger
  /** This process's advisory lock. Other workers report the activities of a process that has lost its lock. */
  lock: Pick<ProcessLock, 'processId' | 'held' | 'settled'>
  /** Default model and checks of task runs, the same as for interactive turns. */
  taskRuns: {
    defaultModel: string
    modelAllowList: string[] | undefined
    requireCredits: boolean
    plans: PlanRules
    /** The build of this process. */
    buildId: string
  }
}
