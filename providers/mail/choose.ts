import { createEmbeddedMail, type InboxStore } from './embedded.ts'
import type { MailPort } from './index.ts'

export type MailOptions =
  | { provider: 'embedded'; inbox: InboxStore }
  | { provider: 'smtp'; url: string }
  | { provider: 'resend'; apiKey: string; apiUrl: string }

/** The one mail provider of this deployment. A vendor's library is loaded where it is used. */
export async function createMail(options: MailOptions): Promise<MailPort> {
  if (options.provider === 'smtp') return (await import('./smtp.ts')).createSmtpMail(options)
  if (options.provider === 'resend') return (await import('./resend.ts')).createResendMail(options)
  return createEmbeddedMail(options.inbox)
}
