import { z } from 'zod'
import { count, flag, hostList, splitList } from './values.ts'
import { parseUrl } from '../domain/fields/url.ts'

const siteNames = {
  SITE: flag
    .default(true)
    .meta({ description: 'Whether the API serves the public site too: its pages, its tools and the MCP endpoint.' }),
  SITE_URL: z
    .url()
    .optional()
    .meta({ description: 'Origin of the public site. Default: BASE_URL, where the API serves it.' }),
  SERVICE_NAME: z
    .string()
    .min(1)
    .max(60)
    .default('Backline')
    .meta({ description: 'What the site calls this service.' }),
  CONTACT_EMAIL: z
    .email()
    .optional()
    .meta({ description: 'Address that the site names for people. Default: contact@ and the host of SITE_URL.' }),
  SITE_HOSTS: hostList.default('').meta({
    description: 'Further host names at which the MCP endpoint answers, besides those of SITE_URL and BASE_URL.',
  }),
  CONTENT_SIGNAL: z
    .string()
    .regex(/^[a-z-]+=(?:yes|no)(?:, [a-z-]+=(?:yes|no))*$/, 'must be like `search=yes, ai-train=no`')
    .default('search=yes, ai-input=yes, ai-train=no')
    .meta({ description: 'What robots.txt says the text of the site may be used for.' }),
  SITE_REQUESTS: count.default(3000).meta({
    description:
      'Requests to the tools of the site that one address may send at once, refilled at 100 a second. In each process for itself; 0 is no limit.',
  }),
}
type Values = z.output<z.ZodObject<typeof siteNames>>

export const siteGroup = { names: siteNames, faults: siteFaults }

/** Name and address of the site. */
export function siteSettings(config: Values & { baseUrl: string }) {
  const siteUrl = new URL(config.SITE_URL ?? config.baseUrl).origin
  return {
    siteUrl,
    serviceName: config.SERVICE_NAME,
    contact: config.CONTACT_EMAIL ?? `contact@${new URL(siteUrl).hostname}`,
    burst: config.SITE_REQUESTS,
    hosts: new Set([new URL(siteUrl).hostname, new URL(config.baseUrl).hostname, ...splitList(config.SITE_HOSTS)]),
    contentSignal: config.CONTENT_SIGNAL,
  }
}

function siteFaults({ SITE_URL }: Values): string[] {
  const url = parseUrl(SITE_URL ?? '')
  return url === undefined || url.href === `${url.origin}/` ? [] : [`SITE_URL: ${url.href} is more than an origin.`]
}
