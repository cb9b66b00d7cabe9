import { Resend } from 'resend'
import { z } from 'zod'
import { parseJson } from '../../domain/fields/json.ts'
import { ProviderFault } from '../fault.ts'
import type { InboundMail } from './index.ts'

const event = z.object({
  type: z.string(),
  data: z.looseObject({
    email_id: z.string().optional(),
    to: z.array(z.string()).catch([]),
    cc: z.array(z.string()).catch([]),
  }),
})

/** Mail that Resend takes in: it tells of each by a signed webhook, and is asked for the words. */
export function createResendInbound(options: { apiKey: string; apiUrl: string; webhookSecret: string }): InboundMail {
  const resend = new Resend(options.apiKey, { baseUrl: options.apiUrl })
  return {
    verify: (headers, rawBody) => {
      const payload = rawBody.toString()
      try {
        resend.webhooks.verify({
          payload,
          headers: {
            id: headers['svix-id'] ?? '',
            timestamp: headers['svix-timestamp'] ?? '',
            signature: headers['svix-signature'] ?? '',
          },
          webhookSecret: options.webhookSecret,
        })
      } catch (error) {
        throw new ProviderFault('invalid', `the webhook is not signed by the mail provider: ${String(error)}`)
      }
      const { type, data } = event.parse(parseJson(payload))
      if (type !== 'email.received' || data.email_id === undefined) return undefined
      return { providerKey: data.email_id, recipients: [...data.to, ...data.cc] }
    },
    read: async (providerKey, signal) => {
      const { data, error } = await resend.get<ReceivedEmail>(
        `/emails/receiving/${encodeURIComponent(providerKey)}?html_format=cid`,
        {
          signal,
        },
      )
      if (error?.statusCode === 404) return undefined
      if (error !== null) throw new ProviderFault('unavailable', error.message, { code: error.name })
      const { from, text, html, headers } = data
      return { from, text: text ?? '', html: html ?? '', headers: lowerNames(headers ?? {}) }
    },
  }
}

type ReceivedEmail = {
  from: string
  text: string | null
  html: string | null
  headers: Record<string, string> | null
}

function lowerNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
