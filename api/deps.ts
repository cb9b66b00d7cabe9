import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Pool } from '../db/postgres/client.ts'
import type { Notifier } from '../db/postgres/notify.ts'
import type { Engine } from '../engine/client.ts'
import type { BlobPort } from '../providers/blob/index.ts'
import type { CodeHostPort, GitHttpPort } from '../providers/code-host/index.ts'
import type { Connectors } from '../providers/connectors/choose.ts'
import type { ConsentPages } from '../providers/connectors/embedded/pages.ts'
import type { DiskSpace } from '../providers/disk-space.ts'
import type { FileFetch } from '../providers/egress/files.ts'
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
import type { Renderer } from './rendering/renderer.ts'
import type { StreamHub } from './streams/hub.ts'

/** What the entry file connects and every route list receives. */
export type ApiDeps = {
  config: Config
  db: Pool
  engine: Engine
  identity: IdentityPort
  /** The embedded issuer: development without an outside one. */
  issuer?: TokenIssuer | undefined
  /** Undefined where the code host has an address of its own. */
  git?: GitHttpPort | undefined
  blobs: BlobPort
  /** Finished media. */
  store: StorePort
  /** The disk that DATA_DIR is on. */
  disk: DiskSpace
  codeHost: CodeHostPort
  payments: PaymentPort
  /** The embedded payment provider: its pages are served here, and its webhooks come from here. */
  embeddedPayments?: EmbeddedPayments | undefined
  /** Programs that read public pages for live events; what measures runs in workers. */
  scraper: ScraperPort
  connectors: Connectors
  /** Pages of the embedded connector broker. */
  consentPages?: ConsentPages | undefined
  /** Validates by schemas of somebody else. */
  schemas: SchemaChecker
  /** Files at addresses that callers gave. */
  files: FileFetch
  /** Undefined where the renderer of this deployment calls nobody. */
  verifyRenderWebhook?: RenderPort['verifyWebhook']
  /** Who mentions the content agent. */
  chat: TeamChatPort
  /** Calls none: turns do that in workers. */
  models: ModelLists
  mail: MailPort
  renderer: Renderer
  streaming: StreamingPort
  streams: StreamHub
  openResponses: OpenResponses
  notifier: Notifier
  audit: Audit
  log: Logger
  /** False until everything behind this process has answered once: requests are refused until then. */
  ready: boolean
  /** Key of this process's advisory lock: rows that name it belong to a live process. */
  processId: number
}
