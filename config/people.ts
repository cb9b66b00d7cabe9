import { z } from 'zod'
import { accountList, addressList, emailDomain, flag, host, splitList } from './values.ts'
import { parseUrl } from '../domain/fields/url.ts'

const peopleNames = {
  IDENTITY_ISSUER: z.url().optional().meta({
    description:
      'Issuer of bearer tokens. Unset: the embedded issuer. In production mode it requires ALLOW_EMBEDDED=identity, and the holder of the development token can sign in as any account.',
  }),
  IDENTITY_AUDIENCE: z.string().optional().meta({
    description:
      'Audience (`aud`) that bearer tokens must contain: the name of this service at the issuer, such as a client or application id. Default: the issuer. Required with an issuer in production mode.',
  }),
  IDENTITY_ASSUME_VERIFIED: flag.default(false).meta({
    description:
      'Accept bearer tokens without `email_verified`. Use this only for an issuer that verifies every address before it signs. Tokens with `email_verified: false` are always refused.',
  }),
  IDENTITY_KEYS_URL: z.url().optional().meta({ description: 'JWKS of the issuer.' }),
  ADMIN_ORGANIZATION_ID: z
    .guid()
    .optional()
    .meta({ description: 'Organization whose members may act for any account.' }),
  ADMIN_ACCOUNTS: accountList.optional().meta({
    description: 'Comma-separated ids of accounts whose templates are marked as from an admin. This grants no rights.',
  }),
  REDIRECT_ORIGINS: z.string().optional().meta({
    description:
      'Comma-separated origins to which callers may redirect people. Unset: any origin, after a click. Required in production mode.',
  }),
  STREAMING_HOST: host
    .default('open.spotify.com')
    .meta({ description: 'Host of streaming profiles. The path of an artist there is /artist/<id>.' }),
  LIVE_EVENTS_HOST: host.default('bandsintown.com').meta({ description: 'Host of live-events profiles.' }),
  TRUSTED_PROXIES: addressList.optional().meta({
    description:
      'Comma-separated addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For header is trusted. Unset: none.',
  }),
  AGENT_EMAIL_DOMAIN: emailDomain.optional().meta({
    description:
      'Domain whose new agent+<name> addresses get an API key at signup, without a code by mail. Default: agents.localhost; in production mode none.',
  }),
}

type Values = z.output<z.ZodObject<typeof peopleNames>>

/** The configurable hosts of profiles, for `profileOf`. */
export function profileHosts(config: Pick<Values, 'STREAMING_HOST' | 'LIVE_EVENTS_HOST'>) {
  return {
    streaming: config.STREAMING_HOST,
    liveEvents: config.LIVE_EVENTS_HOST,
  }
}

export const peopleGroup = { names: peopleNames, faults: originFaults }

function originFaults({ REDIRECT_ORIGINS }: Values): string[] {
  return splitList(REDIRECT_ORIGINS ?? '')
    .filter((origin) => parseUrl(origin)?.origin !== origin)
    .map((origin) => `REDIRECT_ORIGINS: ${origin} is not an origin.`)
}
