import type { ReceivedMail } from '../../domain/mail/reply.ts'
import type { MailContent } from '../../domain/mail/content.ts'

/** An outgoing email. Addresses are plain and normalized; `from` may have a display name. */
export type Mail = MailContent & { from: string; replyTo?: string }

/** Idempotency key and abort signal of an attempt. */
type SendOptions = { idempotencyKey: string; signal: AbortSignal }

/**
 * Sends emails. Rejects with a `ProviderError`: `declined` (a recipient), `rate_limited`, `unavailable`, `timeout`,
 * `unauthorized` or `invalid`.
 */
export type MailPort = {
  /**
   * True if the provider sends an email only once per idempotency key. If false, an email with an unknown outcome (`timeout`,
   * or a killed process) must not be sent again.
   */
  readonly isIdempotent: boolean
  /** Sends an email. `refused`: recipients that the server rejected while it accepted others. */
  send(mail: Mail, options: SendOptions): Promise<{ messageId: string; refused?: string[] }>
  /** Absent if the provider does not report received emails. */
  readonly inbound?: InboundMail
}

/** Reads emails that a provider receives for this deployment. */
export type InboundMail = {
  /** Returns the email that a webhook reports; undefined for other events. Throws `invalid` for a wrong signature. */
  verify(
    headers: Readonly<Record<string, string | undefined>>,
    rawBody: Buffer,
  ): { providerKey: string; recipients: string[] } | undefined
  /**
   * Reads a received email; undefined if the provider no longer has it. `isAuthenticated` depends only on the provider's
   * verification of the sender, not on content that the sender controls. Rejects with a `ProviderError`.
   */
  read(providerKey: string, signal: AbortSignal): Promise<ReceivedMail | undefined>
}
