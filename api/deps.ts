import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Pool } from '../db/postgres/client.ts'
import type { Notifier } from '../db/postgres/channels/notify.ts'
import type { Engine } from '../engine/client.ts'
import type { BlobPort } from '../providers/blob/index.ts'
import type { CodeHostPort, GitHttpPort } from '../providers/code-host/index.ts'
import type { Connectors } from '../providers/connectors/choose.ts'
import type { ConsentPages } from '../providers/connectors/embedded/pages.ts'
import type { DiskSpace } from '../providers/disk-space.ts'
import type { FileFetcher } from '../providers/egress/files.ts'
import type { IdentityPort, TokenIssuer } from '../providers/identity/index.ts'
import type { EmbeddedPayments } from '../providers/payment/embedded/index.ts'
import type { PaymentPort } from '../providers/payment/index.ts'
import type { MailPort } from '../providers/mail/index.ts'
import type { ModelLists } from '../providers/model/index.ts'
import type { RenderPort } from '../providers/render/index.ts'
import type { ScraperPort } from '../providers/scraper/index.ts'
import type { StorePort } from '../providers/store/index.ts'
import type { StreamingPort } from '../providers/streaming/index.ts'
import type { TeamChatPort } from '../providers/team-chat/index.ts'
import type { Audit } from './access/audit.ts'
import type { OpenResponses } from './access/open-responses.ts'
import type { SchemaChecker } from './connectors/check/checker.ts'
import type { Fleet } from './fleet.ts'
import type { Renderer } from './rendering/renderer.ts'
import type { StreamHub } from './streams/hub.ts'

/** Dependencies that the entry file connects and every route list receives. */
export type ApiDeps = {
  config: Config
  db: Pool
  engine: Engine
  identity: IdentityPort
  /** The embedded issuer, for development without an external one. */
  issuer?: TokenIssuer | undefined
  /** Undefined if the code host has its own URL. */
  git?: GitHttpPort | undefined
  blobs: BlobPort
  /** Storage of finished media. */
  store: StorePort
  /** The disk that holds DATA_DIR. */
  disk: DiskSpace
  codeHost: CodeHostPort
  payments: PaymentPort
  /** The embedded payment provider: its pages are served here, and it sends its webhooks from here. */
  embeddedPayments?: EmbeddedPayments | undefined
  /** Scraper for live events. Measurements run in workers. */
  scraper: ScraperPort
  connectors: Connectors
  /** Pages of the embedded connector broker. */
  consentPages?: ConsentPages | undefined
  /** Validates against third-party schemas. */
  schemas: SchemaChecker
  /** Fetches files from URLs of callers. */
  files: FileFetcher
  /** Undefined if the renderer of this deployment sends no webhooks. */
  verifyRenderWebhook?: RenderPort['verifyWebhook']
  /** The team chat in which users mention the content agent. */
  chat: TeamChatPort
  /** Lists models only. Workers make the model calls. */
  models: ModelLists
  mail: MailPort
  renderer: Renderer
  streaming: StreamingPort
  streams: StreamHub
  openResponses: OpenResponses
  fleet: Fleet
  notifier: Notifier
  audit: Audit
  log: Logger
  /** False until every dependency of this process has responded once. Requests are rejected until then. */
  ready: boolean
  /** True after a stop signal: the process still serves requests but reports that it is not ready. */
  draining: boolean
  /** Key of this process's advisory lock. Rows with this key belong to a live process. */
  processId: number
}
