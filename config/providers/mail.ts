import { z } from 'zod'
import { listProblems, rejectEmbedded, requireSettings, type Mode } from '../requirements.ts'
import { anyUrl, choice, matching, secret } from '../values.ts'

const mailShape = {
  MAIL_PROVIDER: choice(['embedded', 'smtp', 'resend']).describe(
    'Email provider: embedded (an inbox in this deployment), an SMTP server or Resend.',
  ),
  MAIL_FROM: matching(
    /^(?:[^<>\r\n"]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
    'must be an address or Name <address>',
  )('Backline Agent <agent@backline.localhost>').describe(
    'Sender of every email: an address, or Name <address>. Required with an external email provider.',
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .meta({
      description: 'Server of MAIL_PROVIDER=smtp: smtps://user:password@host:465, or smtp://host:587?requireTLS=true.',
      secret: true,
    }),
  RESEND_API_KEY: secret('API key for MAIL_PROVIDER=resend.'),
  MAIL_REPLY_TO: matching(
    /^[A-Za-z0-9._-]{1,10}@[^\s<>@,;+]+$/,
    'must be a plain address with at most ten characters before the @',
  )().describe(
    'Reply address of chat emails. The provider must receive its email, including addresses with +<text> before the @. Default: none, or reply@backline.localhost with the embedded inbox.',
  ),
  RESEND_WEBHOOK_SECRET: secret('Signing secret (whsec_…) of the webhook with which Resend reports replies.'),
  MAIL_AUTHENTICATION_SERVER: matching(
    /^[A-Za-z0-9.-]+$/,
    'must be a host name',
  )('amazonses.com').describe(
    'Name (authserv-id) under which the email provider records its verification of the sender in the topmost Authentication-Results header. Resend receives email through Amazon SES.',
  ),
  RESEND_API_URL: anyUrl('https://api.resend.com').describe('URL of the Resend API.'),
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

function validateMail(config: Values & Mode, values: Record<string, unknown>): string[] {
  const { MAIL_PROVIDER: provider, MAIL_REPLY_TO: replyTo } = config
  if (provider === 'embedded') return rejectEmbedded(config, 'MAIL_PROVIDER', 'mail')
  const required = { ...config, MAIL_FROM: values['MAIL_FROM'] }
  return [
    ...requireSettings(required, [...requiredSettings[provider], 'MAIL_FROM'], `with MAIL_PROVIDER=${provider}`),
    ...listProblems({
      'MAIL_REPLY_TO needs a provider that receives email. Use MAIL_PROVIDER=resend, or unset MAIL_REPLY_TO.':
        replyTo !== undefined && provider === 'smtp',
      'RESEND_WEBHOOK_SECRET is required with MAIL_REPLY_TO.':
        replyTo !== undefined && provider === 'resend' && config.RESEND_WEBHOOK_SECRET === undefined,
    }),
  ]
}
