import { Resend } from 'resend'
import { z } from 'zod'
import { parseJson } from '../../domain/fields/json.ts'
import { ProviderError } from '../errors/provider-error.ts'
import { recordList } from '../records.ts'
import type { InboundMail } from './index.ts'
import { isAuthenticated, readHeaders, readSender, type MailHeader } from './received-headers.ts'

const addresses = recordList('Resend recipients', z.string()).catch([])

const event = z.object({
  type: z.string(),
  data: z.looseObject({
    email_id: z.string().optional(),
    to: addresses,
    cc: addresses,
  }),
})

type ResendInboundOptions = {
  apiKey: string
  apiUrl: string
  webhookSecret: string
  /** The authserv-id of Resend's receiving servers. */
  authenticationServer: string
}

/**
 * Reads emails that Resend receives. A signed webhook reports each email, and the API returns its text. Headers are read from
 * the original message: `headers` in the API has one value per name, so the sender could override the provider's header.
 */
export function createResendInbound(options: ResendInboundOptions): InboundMail {
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
        throw new ProviderError('invalid', `the webhook signature is not valid: ${String(error)}`)
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
      if (error !== null) throw new ProviderError('unavailable', error.message, { code: error.name })
      const { from, text, html, raw } = data
      const headers = raw ? await downloadHeaders(raw.download_url, { signal, ...options }) : []
      return {
        from: readSender(headers) ?? from,
        text: text ?? '',
        html: html ?? '',
        headers: Object.fromEntries(headers.toReversed().map(({ name, value }) => [name, value])),
        isAuthenticated: isAuthenticated(headers, options.authenticationServer),
      }
    },
  }
}

type ReceivedEmail = {
  from: string
  text: string | null
  html: string | null
  raw?: { download_url: string } | null
}

async function downloadHeaders(
  url: string,
  { signal, apiUrl }: { signal: AbortSignal; apiUrl: string },
): Promise<MailHeader[]> {
  if (new URL(url).protocol !== 'https:' && new URL(url).protocol !== new URL(apiUrl).protocol)
    throw new ProviderError('unavailable', 'the download URL of a received email does not use https')
  try {
    const response = await fetch(url, { signal, redirect: 'error' })
    if (response.ok && response.body !== null) return await readHeaders(response.body)
    await response.body?.cancel()
    throw new ProviderError('unavailable', `the download of a received email failed with status ${response.status}`)
  } catch (error) {
    if (error instanceof ProviderError) throw error
    throw new ProviderError('unavailable', 'the download of a received email was interrupted')
  }
}
