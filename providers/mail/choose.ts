import { createEmbeddedMail, type InboxStore } from './embedded.ts'
import type { MailPort } from './index.ts'

export type MailOptions =
  | { provider: 'embedded'; inbox: InboxStore }
  | { provider: 'smtp'; url: string }
  | {
      provider: 'resend'
      apiKey: string
      apiUrl: string
      webhookSecret?: string | undefined
      authenticationServer: string
    }

/** Creates the email provider of this deployment. Loads a vendor's library only if that vendor is configured. */
export async function createMail(options: MailOptions): Promise<MailPort> {
  if (options.provider === 'smtp') return (await import('./smtp.ts')).createSmtpMail(options)
  if (options.provider === 'resend') {
    const { webhookSecret } = options
    const mail = (await import('./resend.ts')).createResendMail(options)
    if (webhookSecret === undefined) return mail
    return {
      ...mail,
      inbound: (await import('./resend-inbound.ts')).createResendInbound({ ...options, webhookSecret }),
    }
  }
  return createEmbeddedMail(options.inbox)
}
