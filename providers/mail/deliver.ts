import { ProviderError } from '../errors/provider-error.ts'
import type { Mail, MailPort } from './index.ts'

type Claim = {
  state: 'taken' | 'busy' | 'ended'
  inDoubt: boolean
  status: string
  messageId: string | null
  refused: string[]
}

/** Stored state of an email. */
type SendRecord = {
  claim(options: { seconds: number; again: boolean }): Promise<Claim>
  release(): Promise<void>
  settle(end: {
    status: 'sent' | 'send_failed' | 'rejected'
    messageId?: string
    refused?: string[]
    failure?: string | undefined
    inDoubt?: boolean
  }): Promise<void>
}

export type DeliverOptions = {
  port: MailPort
  mail: Mail
  /** Id of the email; also the provider's idempotency key. */
  id: string
  record: SendRecord
  signal: AbortSignal
  /** Duration of the claim. Must be longer than the time limit of an attempt. */
  claimSeconds: number
  /** Also sends an email that has failed before. */
  again?: boolean
}

/** Result of an attempt. `later`: the attempt can be repeated after `afterSeconds`. */
export type Delivery =
  | { outcome: 'sent'; messageId: string; refused: string[] }
  | { outcome: 'failed'; error?: ProviderError }
  | { outcome: 'later'; afterSeconds?: number | undefined; error?: ProviderError }

/**
 * Makes one attempt to send an email. Stores a claim first, so that the next attempt detects an attempt that ended without a
 * result. The outcome of that attempt is unknown, so a provider without idempotency keys is not called again.
 */
export async function deliver(options: DeliverOptions): Promise<Delivery> {
  const { port, mail, id, record, signal, claimSeconds, again = false } = options
  const claim = await record.claim({ seconds: claimSeconds, again })
  if (claim.state === 'busy') return { outcome: 'later', afterSeconds: 1 }
  if (claim.state === 'ended')
    return claim.status === 'sent'
      ? { outcome: 'sent', messageId: claim.messageId ?? '', refused: claim.refused }
      : { outcome: 'failed' }
  if (claim.inDoubt && !port.isIdempotent) {
    await record.settle({ status: 'send_failed', inDoubt: true })
    return { outcome: 'failed', error: new ProviderError('timeout', 'an earlier attempt ended without a result') }
  }
  try {
    const { messageId, refused = [] } = await port.send(mail, { idempotencyKey: id, signal })
    await record.settle({ status: 'sent', messageId, refused })
    return { outcome: 'sent', messageId, refused }
  } catch (error) {
    // Any other error is a bug in this service. The claim remains, because it is unknown whether the email was sent.
    if (!(error instanceof ProviderError)) throw error
    const inDoubt = error.kind === 'timeout'
    if (error.isRetryable && (port.isIdempotent || !inDoubt)) {
      await record.release()
      return { outcome: 'later', afterSeconds: error.retryAfterSeconds, error }
    }
    const status = error.kind === 'declined' ? 'rejected' : 'send_failed'
    await record.settle({ status, failure: error.code ?? error.kind, inDoubt })
    return { outcome: 'failed', error }
  }
}
