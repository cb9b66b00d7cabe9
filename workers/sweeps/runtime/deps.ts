import type { Logger } from 'pino'
import type { Pool } from '../../../db/postgres/client.ts'
import type { Retention } from '../../../db/retention.ts'
import type { Notifier } from '../../../db/postgres/channels/notify.ts'
import type { TurnTerms } from '../../../domain/chat/turn-terms.ts'
import type { LifecycleTimes } from '../../../domain/sandboxes/lifecycle.ts'
import type { PlanRules } from '../../../domain/credits/plans.ts'
import type { Engine } from '../../../engine/client.ts'
import type { BlobPort } from '../../../providers/blob/index.ts'
import type { CodeHostPort } from '../../../providers/code-host/index.ts'
import type { MailPort } from '../../../providers/mail/index.ts'
import type { PaymentPort } from '../../../providers/payment/index.ts'
import type { RenderPort } from '../../../providers/render/index.ts'
import type { SandboxPort } from '../../../providers/sandbox/index.ts'
import type { StorePort } from '../../../providers/store/index.ts'
import type { EachRow, ReportRow } from './rows.ts'

/** Dependencies of the sweeper. */
export type SweeperDeps = {
  db: Pool
  engine: Engine
  notifier: Notifier
  sandboxes: Pick<SandboxPort, 'endOverdue' | 'deleteSnapshot'>
  log: Logger
  eachRow: EachRow
  report: ReportRow
  blobs: Pick<BlobPort, 'sweep'>
  codeHost: Pick<CodeHostPort, 'maintain' | 'tidy'>
  store: Pick<StorePort, 'sweep'>
  render: Pick<RenderPort, 'cancel'>
  /** Deletes files of the embedded renderer that were completed before this time. */
  sweepRenders: (before: Date) => Promise<number>
  payments: PaymentPort
  mail: Pick<MailPort, 'inbound'>
  settings: {
    paymentTimeoutMs: number
    paymentSweepSeconds: number
    billingUrl: string
    plans: PlanRules
    turns: TurnTerms
    runTimeLimitMs: number
    streamRetentionHours: number
    retention: Retention
    blobExpiryHours: number
    lifecycle: LifecycleTimes
  }
}
