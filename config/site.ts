import { z } from 'zod'
import { anyUrl, count, flag, hostList, matching, splitList } from './values.ts'
import { parseUrl } from '../domain/fields/url.ts'

const siteShape = {
  SITE: flag(true).describe('Serves the public site: its pages, its tools and the MCP endpoint.'),
  SITE_URL: anyUrl().describe('Origin of the public site. Default: BASE_URL.'),
  SERVICE_NAME: z.string().min(1).max(60).default('Backline').describe('Name of this service, as shown on the site.'),
  CONTACT_EMAIL: z
    .email()
    .optional()
    .describe('Contact address, as shown on the site. Default: contact@ and the host of SITE_URL.'),
  SITE_HOSTS: hostList('').describe(
    'Comma-separated host names at which the MCP endpoint is served, in addition to those of SITE_URL and BASE_URL.',
  ),
  CONTENT_SIGNAL: matching(
    /^[a-z-]+=(?:yes|no)(?:, [a-z-]+=(?:yes|no))*$/,
    'must have the form `search=yes, ai-train=no`',
  )('search=yes, ai-input=yes, ai-train=no').describe("Permitted uses of the site's text, as stated in robots.txt."),
  SITE_REQUESTS: count(3000).describe(
    'Maximum burst of requests that one IP address can send to the tools of the site, refilled at 100 per second. Each API process counts separately. 0: no limit.',
  ),
}
type Values = z.output<z.ZodObject<typeof siteShape>>

export const siteGroup = { settings: siteShape, validate: validateSite }

/** Returns the name, URL and limits of the site. */
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

function validateSite({ SITE_URL }: Values): string[] {
  const url = parseUrl(SITE_URL ?? '')
  return url === undefined || url.href === `${url.origin}/`
    ? []
    : [`SITE_URL (${url.href}) must be an origin, such as https://example.com, without a path.`]
}
