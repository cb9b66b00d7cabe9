import { z } from 'zod'
import { count, flag, hostList, splitList } from './values.ts'
import { parseUrl } from '../domain/fields/url.ts'

const siteNames = {
  SITE: flag
    .default(true)
    .meta({ description: 'Whether the API also serves the public site: its pages, its tools and the MCP endpoint.' }),
  SITE_URL: z.url().optional().meta({ description: 'Origin of the public site. Default: BASE_URL.' }),
  SERVICE_NAME: z
    .string()
    .min(1)
    .max(60)
    .default('Backline')
    .meta({ description: 'Name of this service on the site.' }),
  CONTACT_EMAIL: z
    .email()
    .optional()
    .meta({ description: 'Contact address that the site shows. Default: contact@ and the host of SITE_URL.' }),
  SITE_HOSTS: hostList.default('').meta({
    description:
      'Further host names at which the MCP endpoint responds, in addition to those of SITE_URL and BASE_URL.',
  }),
  CONTENT_SIGNAL: z
    .string()
    .regex(/^[a-z-]+=(?:yes|no)(?:, [a-z-]+=(?:yes|no))*$/, 'must be like `search=yes, ai-train=no`')
    .default('search=yes, ai-input=yes, ai-train=no')
    .meta({ description: 'Permitted uses of the text of the site, as stated in robots.txt.' }),
  SITE_REQUESTS: count.default(3000).meta({
    description:
      'Size of a burst of requests that one address may send to the tools of the site, refilled at 100 per second. Each process counts separately. 0: no limit.',
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
