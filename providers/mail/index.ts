import type { ReceivedMail } from '../../domain/mail/reply.ts'
import type { MailContent } from '../../domain/mail/content.ts'

/** One message. Addresses are plain ones in their normal form; `from` may carry a display name. */
export type Mail = MailContent & { from: string; replyTo?: string }

/** How long an operation may take and under which name it is done once. */
type SendOptions = { idempotencyKey: string; signal: AbortSignal }

/**
 * Hands mail over. Rejects with a `ProviderFault`: `declined` (a recipient), `rate_limited`, `unavailable`, `timeout`,
 * `unauthorized` or `invalid`. The same key again is the same message wherever the provider knows keys.
 */
export type MailPort = {
  /** False: a mail whose outcome is unknown (`timeout`, or a process that died) must not be sent again. */
  readonly knowsKeys: boolean
  /** `refused`: the recipients that the server rejected while it accepted the others. */
  send(mail: Mail, options: SendOptions): Promise<{ messageId: string; refused?: string[] }>
  /** Undefined where the provider tells of no mail that comes in. */
  readonly inbound?: InboundMail
}

/** Mail that a provider receives for us. */
export type InboundMail = {
  /** The mail that a webhook is about; undefined for other events. Throws a `ProviderFault` `invalid` for a wrong signature. */
  verify(
    headers: Readonly<Record<string, string | undefined>>,
    rawBody: Buffer,
  ): { providerKey: string; recipients: string[] } | undefined
  /**
   * A received mail; undefined when the provider no longer has it. `isAuthenticated` comes from the provider's own check of
   * the sender and from nothing that the sender could have written. Rejects with a `ProviderFault`.
   */
  read(providerKey: string, signal: AbortSignal): Promise<ReceivedMail | undefined>
}
