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
  send(mail: Mail, options: SendOptions): Promise<{ messageId: string }>
  /** Undefined where the provider tells of no mail that comes in. */
  readonly inbound?: InboundMail
}

/** What a provider that takes mail in tells of it. */
export type InboundMail = {
  /** What a webhook says. Undefined: nothing of a mail. Throws a `ProviderFault` `invalid` for one that it did not sign. */
  verify(
    headers: Readonly<Record<string, string | undefined>>,
    rawBody: Buffer,
  ): { providerKey: string; recipients: string[] } | undefined
  /** A mail that was told of; undefined when it is gone. Rejects with a `ProviderFault`. */
  read(providerKey: string, signal: AbortSignal): Promise<ReceivedMail | undefined>
}
