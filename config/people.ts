import { z } from 'zod'
import { accountList, addressList, anyText, anyUrl, emailDomain, flag, host, splitList } from './values.ts'
import { parseUrl } from '../domain/fields/url.ts'

const peopleShape = {
  IDENTITY_ISSUER: anyUrl().describe(
    'Issuer of bearer tokens. Unset: the embedded issuer, which production mode allows only with ALLOW_EMBEDDED=identity. The holder of its development token can sign in as any account.',
  ),
  IDENTITY_AUDIENCE: anyText().describe(
    'Audience (`aud`) that bearer tokens must contain: the name of this service at the issuer, such as a client or application id. Default: the issuer. Required with an issuer in production mode.',
  ),
  IDENTITY_ASSUME_VERIFIED: flag(false).describe(
    'Accepts bearer tokens without `email_verified`. Enable it only if the issuer verifies every email address. Tokens with `email_verified: false` are always rejected.',
  ),
  IDENTITY_KEYS_URL: anyUrl().describe("URL of the issuer's JWKS. Required with an issuer in production mode."),
  ADMIN_ORGANIZATION_ID: z.guid().optional().describe('Organization whose members may act for any account.'),
  ADMIN_ACCOUNTS: accountList().describe(
    'Comma-separated ids of accounts whose templates are marked as from an admin. This grants no rights.',
  ),
  REDIRECT_ORIGINS: anyText().describe(
    'Comma-separated origins to which callers may redirect people. Unset: any origin, after the person confirms. Required in production mode.',
  ),
  STREAMING_HOST: host('open.spotify.com').describe(
    "Host of streaming profiles. An artist's profile has the path /artist/<id>.",
  ),
  LIVE_EVENTS_HOST: host('bandsintown.com').describe('Host of live-events profiles.'),
  TRUSTED_PROXIES: addressList().describe(
    'Comma-separated IP addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For header is trusted. Unset: none.',
  ),
  AGENT_EMAIL_DOMAIN: emailDomain().describe(
    'Domain whose new agent+<name> addresses get an API key at signup, without an emailed code. Default: agents.localhost, or none in production mode.',
  ),
}

type Values = z.output<z.ZodObject<typeof peopleShape>>

/** Returns the configurable hosts of artist profiles. */
export function profileHosts(config: Pick<Values, 'STREAMING_HOST' | 'LIVE_EVENTS_HOST'>) {
  return {
    streaming: config.STREAMING_HOST,
    liveEvents: config.LIVE_EVENTS_HOST,
  }
}

export const peopleGroup = { settings: peopleShape, validate: validateOrigins }

function validateOrigins({ REDIRECT_ORIGINS }: Values): string[] {
  return splitList(REDIRECT_ORIGINS ?? '')
    .filter((origin) => parseUrl(origin)?.origin !== origin)
    .map((origin) => `REDIRECT_ORIGINS: ${origin} is not an origin. Use the form https://host, without a path.`)
}
