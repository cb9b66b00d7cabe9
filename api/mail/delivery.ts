import { setTimeout as pause } from 'node:timers/promises'
import { markMailStarted } from '../../db/mail/outbox.ts'
import {
  claimSend,
  findSendByReference,
  freeOldReference,
  insertSend,
  releaseSend,
  settleSend,
} from '../../db/mail/send-log.ts'
import type { RenderedMail } from '../../domain/mail/render.ts'
import type { ProviderError } from '../../providers/errors/provider-error.ts'
import { deliver, type Delivery } from '../../providers/mail/deliver.ts'
import type { DbDeps, RouteDeps, WorkDeps } from '../deps.ts'
import { deliverMail } from '../../workflows/mail/messages.ts'
import type { MailPort } from '../../providers/mail/index.ts'
import { logFailure } from '../runs/engine.ts'

export type MailDeps = RouteDeps & { mail: MailPort }

export type DirectMail = RenderedMail & {
  to: string[]
  cc?: string[]
  headers?: Record<string, string> | undefined
  replyTo?: string | undefined
  accountId?: string | undefined
  chatId?: string | undefined
  /** Identifies the email in repeated requests. A sent email with this reference is not sent again within one day. */
  reference?: string | undefined
}

export type SendResult =
  | { sent: true; messageId: string; refused: string[] }
  /** `busy`: another request is sending the same email. Without `busy` and `error`, an earlier attempt failed. */
  | { sent: false; busy: boolean; error?: ProviderError | undefined }

const maxAttempts = 3
const attemptTimeoutMs = 10_000
const firstPauseMs = 1000
const maxPauseMs = 4000
/** Maximum duration of `sendMail` in milliseconds. */
export const sendMailTimeoutMs = maxAttempts * attemptTimeoutMs + (maxAttempts - 1) * maxPauseMs

/**
 * Sends an email within a request, and records the delivery without the content of the email. A failed email is not retried
 * later: the caller receives the error and can repeat the request.
 */
export async function sendMail(deps: MailDeps, mail: DirectMail): Promise<SendResult> {
  const { db, config, log } = deps
  const { to, cc = [], subject, html, text, headers, replyTo } = mail
  const id = await startSend(deps, mail)
  const delivery = await sendWithRetries(() =>
    deliver({
      port: deps.mail,
      mail: {
        from: config.MAIL_FROM,
        to,
        ...(cc.length > 0 && { cc }),
        subject,
        html,
        text,
        ...(headers !== undefined && { headers }),
        ...(replyTo !== undefined && { replyTo }),
      },
      id,
      record: {
        claim: (options) => claimSend(db, id, options),
        release: () => releaseSend(db, id),
        settle: (end) => settleSend(db, id, end),
      },
      signal: AbortSignal.timeout(attemptTimeoutMs),
      claimSeconds: attemptTimeoutMs / 1000 + 5,
      again: true,
    }),
  )
  if (delivery.outcome === 'sent') {
    const { messageId, refused } = delivery
    return { sent: true, messageId, refused }
  }
  const { error } = delivery
  if (delivery.outcome === 'later') {
    if (error === undefined) return { sent: false, busy: true }
    const failure = error.code ?? error.kind
    await settleSend(db, id, { status: 'send_failed', failure, inDoubt: error.kind === 'timeout' })
  }
  log.warn({ mailId: id, kind: error?.kind, err: error }, 'failed to send an email')
  return { sent: false, busy: false, error }
}

/** Starts the delivery of an outbox email, after its transaction. The sweeper retries a failed start. */
export function startMail(deps: WorkDeps, mailId: string | undefined): void {
  if (mailId === undefined) return
  const start = deps.engine.start(deliverMail, { mailId }).then(() => markMailStarted(deps.db, mailId))
  logFailure(deps, start, { mailId }, 'failed to start the delivery of an email; the sweeper retries')
}

async function startSend({ db }: DbDeps, mail: DirectMail): Promise<string> {
  const { to, cc = [], subject, accountId, chatId, reference } = mail
  if (reference !== undefined) await freeOldReference(db, reference)
  const id = await insertSend(db, { accountId, chatId, reference, subject, recipients: [...to, ...cc] })
  if (id !== undefined) return id
  const existing = reference === undefined ? undefined : await findSendByReference(db, reference)
  if (existing === undefined) throw new Error('an email was neither inserted nor found')
  return existing.id
}

async function sendWithRetries(attempt: () => Promise<Delivery>): Promise<Delivery> {
  for (let attemptNumber = 1; ; attemptNumber++) {
    const delivery = await attempt()
    if (delivery.outcome !== 'later' || attemptNumber === maxAttempts) return delivery
    const waitMs = Math.max(firstPauseMs * 2 ** (attemptNumber - 1), (delivery.afterSeconds ?? 0) * 1000)
    if (waitMs > maxPauseMs) return delivery
    await pause(waitMs)
  }
}
