import { ApplicationFailure } from '@temporalio/activity'
import { findQueuedMail } from '../db/mail/outbox.ts'
import { claimSend, releaseSend, settleSend } from '../db/mail/send-log.ts'
import { deliver } from '../providers/mail/deliver.ts'
import type { MailPort } from '../providers/mail/index.ts'
import { withHeartbeat } from './runtime/heartbeat.ts'
import type { LogDeps } from './deps.ts'

/** `mailFrom`: sender address of every email. */
export type MailDeps = LogDeps & { mail: MailPort; mailFrom: string }

const attemptTimeoutMs = 20_000

export function createMailActivities({ db, mail, mailFrom, log }: MailDeps) {
  return {
    /**
     * Makes one attempt to send an email of the outbox. Safe to run again: the row records the progress, and its id is the
     * provider's idempotency key.
     */
    deliverMail: async ({ mailId }: { mailId: string }): Promise<void> => {
      const content = await findQueuedMail(db, mailId)
      if (content === undefined) return
      const send = () =>
        deliver({
          port: mail,
          mail: { from: mailFrom, ...content },
          id: mailId,
          record: {
            claim: (options) => claimSend(db, mailId, options),
            release: () => releaseSend(db, mailId),
            settle: (end) => settleSend(db, mailId, end),
          },
          signal: AbortSignal.timeout(attemptTimeoutMs),
          claimSeconds: attemptTimeoutMs / 1000 + 10,
        })
      const delivery = await withHeartbeat(send)
      if (delivery.outcome === 'sent') return
      log.warn({ mailId, kind: delivery.error?.kind, err: delivery.error }, 'failed to send an email')
      if (delivery.outcome === 'failed') return
      const { afterSeconds, error } = delivery
      throw ApplicationFailure.create({
        // The provider's message stays out of the workflow history.
        message: error?.kind ?? 'busy',
        type: 'MailLater',
        ...(afterSeconds !== undefined && { nextRetryDelay: `${Math.ceil(afterSeconds)}s` as const }),
      })
    },

    /** Fails an email that could not be delivered in time. Safe to run again: an ended email never changes. */
    giveUpMail: async ({ mailId }: { mailId: string }): Promise<void> => {
      await settleSend(db, mailId, { status: 'send_failed' })
    },
  }
}
