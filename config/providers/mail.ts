import { z } from 'zod'
import { mayEmbed } from '../service.ts'

const mailShape = {
  MAIL_PROVIDER: z
    .enum(['embedded', 'smtp', 'resend'])
    .default('embedded')
    .meta({ description: 'Email provider: embedded (an inbox in this deployment), an SMTP server or Resend.' }),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n"]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
      'must be an address or Name <address>',
    )
    .default('Backline Agent <agent@backline.localhost>')
    .meta({
      description: 'Sender of every email: an address, or Name <address>. Required with an external email provider.',
    }),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .meta({
      description: 'Server of MAIL_PROVIDER=smtp: smtps://user:password@host:465, or smtp://host:587?requireTLS=true.',
      secret: true,
    }),
  RESEND_API_KEY: z.string().optional().meta({ description: 'API key for MAIL_PROVIDER=resend.', secret: true }),
  MAIL_REPLY_TO: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,10}@[^\s<>@,;+]+$/, 'must be a plain address with at most ten characters before the @')
    .optional()
    .meta({
      description:
        'Reply address of chat emails. The provider must receive its email, including addresses with +<text> before the @. Default: none, or reply@backline.localhost with the embedded inbox.',
    }),
  RESEND_WEBHOOK_SECRET: z
    .string()
    .optional()
    .meta({ description: 'Signing secret (whsec_…) of the webhook with which Resend reports replies.', secret: true }),
  MAIL_AUTHENTICATION_SERVER: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, 'must be a host name')
    .default('amazonses.com')
    .meta({
      description:
        'Name (authserv-id) under which the email provider records its verification of the sender in the topmost Authentication-Results header. Resend receives email through Amazon SES.',
    }),
  RESEND_API_URL: z.url().default('https://api.resend.com').meta({ description: 'URL of the Resend API.' }),
}

type Values = z.output<z.ZodObject<typeof mailShape>>

const requiredSettings = { embedded: [], smtp: ['SMTP_URL'], resend: ['RESEND_API_KEY'] } as const

/** Returns the settings for `createMail`. Validation has already rejected missing settings. */
export function mailSettings<Inbox>(config: Values, inbox: Inbox) {
  const { MAIL_PROVIDER: provider, SMTP_URL: url = '', RESEND_API_KEY: apiKey = '', RESEND_API_URL: apiUrl } = config
  const { RESEND_WEBHOOK_SECRET: webhookSecret, MAIL_AUTHENTICATION_SERVER: authenticationServer } = config
  if (provider === 'smtp') return { provider, url }
  if (provider === 'resend') return { provider, apiKey, apiUrl, webhookSecret, authenticationServer }
  return { provider, inbox }
}

/** Returns the reply address of chat emails; undefined if there is none. */
export function replyBase({ MAIL_PROVIDER, MAIL_REPLY_TO }: Values): string | undefined {
  return MAIL_REPLY_TO ?? (MAIL_PROVIDER === 'embedded' ? 'reply@backline.localhost' : undefined)
}

export const mailGroup = { settings: mailShape, validate: validateMail }

function validateMail(
  config: Values & { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined },
  values: Record<string, unknown>,
): string[] {
  const provider = config.MAIL_PROVIDER
  if (provider === 'embedded') {
    return config.PRODUCTION_MODE && !mayEmbed(config, 'mail')
      ? [
          'MAIL_PROVIDER must not be embedded in production mode: choose another provider, or add mail to ALLOW_EMBEDDED.',
        ]
      : []
  }
  const missing: string[] = requiredSettings[provider].filter((name) => config[name] === undefined)
  if (values['MAIL_FROM'] === undefined) missing.push('MAIL_FROM')
  const problems = missing.map((name) => `${name} is required with MAIL_PROVIDER=${provider}.`)
  if (config.MAIL_REPLY_TO === undefined) return problems
  if (provider === 'smtp')
    return [
      ...problems,
      'MAIL_REPLY_TO needs a provider that receives email. Use MAIL_PROVIDER=resend, or unset MAIL_REPLY_TO.',
    ]
  return config.RESEND_WEBHOOK_SECRET === undefined
    ? [...problems, 'RESEND_WEBHOOK_SECRET is required with MAIL_REPLY_TO.']
    : problems
}
