import { z } from 'zod'
import { mayEmbed } from '../service.ts'

const mailNames = {
  MAIL_PROVIDER: z
    .enum(['embedded', 'smtp', 'resend'])
    .default('embedded')
    .meta({ description: 'Mail provider: the inbox of this deployment, an SMTP server, or Resend.' }),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n"]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
      'must be an address or Name <address>',
    )
    .default('Backline Agent <agent@backline.localhost>')
    .meta({ description: 'Sender of every mail: an address, or Name <address>. Required with a real mail provider.' }),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .meta({
      description: 'Server of MAIL_PROVIDER=smtp: smtps://user:password@host:465, or smtp://host:587?requireTLS=true.',
      secret: true,
    }),
  RESEND_API_KEY: z.string().optional().meta({ description: 'Key for MAIL_PROVIDER=resend.', secret: true }),
  MAIL_REPLY_TO: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,10}@[^\s<>@,;+]+$/, 'must be a plain address with at most ten characters before the @')
    .optional()
    .meta({
      description:
        'Address for replies to mails of chats. The provider must receive its mail, also with +<text> before the @. Unset: none, or reply@backline.localhost with the embedded inbox.',
    }),
  RESEND_WEBHOOK_SECRET: z
    .string()
    .optional()
    .meta({ description: 'Secret (whsec_…) of the webhook with which Resend reports replies.', secret: true }),
  MAIL_AUTHENTICATION_SERVER: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, 'must be a host name')
    .default('amazonses.com')
    .meta({
      description:
        'Name (authserv-id) with which the mail provider adds its verification of a sender, as the topmost Authentication-Results header. Resend receives mail through Amazon SES.',
    }),
  RESEND_API_URL: z.url().default('https://api.resend.com').meta({ description: 'Address of the Resend API.' }),
}

type Values = z.output<z.ZodObject<typeof mailNames>>

const mailNeeds = { embedded: [], smtp: ['SMTP_URL'], resend: ['RESEND_API_KEY'] } as const

/** The email settings for `createMail`; validation has already refused missing ones. */
export function mailSettings<Inbox>(config: Values, inbox: Inbox) {
  const { MAIL_PROVIDER: provider, SMTP_URL: url = '', RESEND_API_KEY: apiKey = '', RESEND_API_URL: apiUrl } = config
  const { RESEND_WEBHOOK_SECRET: webhookSecret, MAIL_AUTHENTICATION_SERVER: authenticationServer } = config
  if (provider === 'smtp') return { provider, url }
  if (provider === 'resend') return { provider, apiKey, apiUrl, webhookSecret, authenticationServer }
  return { provider, inbox }
}

/** Reply address of chat emails; undefined if there is none. */
export function replyBase({ MAIL_PROVIDER, MAIL_REPLY_TO }: Values): string | undefined {
  return MAIL_REPLY_TO ?? (MAIL_PROVIDER === 'embedded' ? 'reply@backline.localhost' : undefined)
}

export const mailGroup = { names: mailNames, faults: mailFaults }

function mailFaults(
  config: Values & { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined },
  given: Record<string, unknown>,
): string[] {
  const provider = config.MAIL_PROVIDER
  if (provider === 'embedded') {
    return config.PRODUCTION_MODE && !mayEmbed(config, 'mail')
      ? [
          'MAIL_PROVIDER must not be embedded in production mode: choose another provider, or add mail to ALLOW_EMBEDDED.',
        ]
      : []
  }
  const missing: string[] = mailNeeds[provider].filter((name) => config[name] === undefined)
  if (given['MAIL_FROM'] === undefined) missing.push('MAIL_FROM')
  const faults = missing.map((name) => `${name} is required with MAIL_PROVIDER=${provider}.`)
  if (config.MAIL_REPLY_TO === undefined) return faults
  if (provider === 'smtp') return [...faults, 'MAIL_REPLY_TO needs a provider that takes mail in: SMTP does not.']
  return config.RESEND_WEBHOOK_SECRET === undefined
    ? [...faults, 'RESEND_WEBHOOK_SECRET is required with MAIL_REPLY_TO.']
    : faults
}
