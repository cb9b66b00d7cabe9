import type { MailContent } from '../../domain/mail/content.ts'

/** One message. Addresses are plain ones in their normal form; `from` may carry a display name. */
export type Mail = MailContent & { from: string }

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
}
