import type { ReceivedMail } from '../../domain/mail/reply.ts'
import type { MailContent } from '../../domain/mail/content.ts'

/** One message. Addresses are plain and normalized; `from` may have a display name. */
export type Mail = MailContent & { from: string; replyTo?: string }

/** Deadline and idempotency key of an operation. */
type SendOptions = { idempotencyKey: string; signal: AbortSignal }

/**
 * Sends mail. Rejects with a `ProviderError`: `declined` (a recipient), `rate_limited`, `unavailable`, `timeout`,
 * `unauthorized` or `invalid`. A repeated key sends the message only once if the provider supports keys.
 */
export type MailPort = {
  /** False if an email with an unknown outcome (`timeout`, or a process that died) must not be sent again. */
  readonly knowsKeys: boolean
  /** `refused`: the recipients that the server rejected while it accepted the others. */
  send(mail: Mail, options: SendOptions): Promise<{ messageId: string; refused?: string[] }>
  /** Undefined if the provider does not report received email. */
  readonly inbound?: InboundMail
}

/** Reads mail that a provider receives for this deployment. */
export type InboundMail = {
  /** Returns the email of a webhook; undefined for other events. Throws a `ProviderError` `invalid` for a wrong signature. */
  verify(
    headers: Readonly<Record<string, string | undefined>>,
    rawBody: Buffer,
  ): { providerKey: string; recipients: string[] } | undefined
  /**
   * Reads a received email; undefined when the provider no longer has it. `isAuthenticated` depends only on the provider's
   * check of the sender, not on content that the sender controls. Rejects with a `ProviderError`.
   */
  read(providerKey: string, signal: AbortSignal): Promise<ReceivedMail | undefined>
}
