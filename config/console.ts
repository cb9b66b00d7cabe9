import { z } from 'zod'
import { parseUrl } from '../domain/fields/url.ts'
import { anyUrl, between, choice, flag } from './values.ts'

const consoleShape = {
  CONSOLE: flag(true).describe('Serves the console at /console.'),
  CONSOLE_URL: anyUrl().describe('URL of the console, the web interface. Default: BASE_URL plus /console.'),
  CONSOLE_CLIENT_ID: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Client id of the console at the issuer: a public client with PKCE whose redirect URI is CONSOLE_URL plus /signed-in. With an external issuer and without this setting, people can sign in only with an API key.',
    ),
  CONSOLE_SCOPE: z
    .string()
    .min(1)
    .max(500)
    .default('openid email profile')
    .describe('Scope that the console requests from the issuer.'),
  CONSOLE_BEARER: choice(['id_token', 'access_token']).describe(
    'Which token of the issuer the console sends to the API. Choose the token whose audience is IDENTITY_AUDIENCE.',
  ),
  CONSOLE_SIGN_IN_DAYS: between(
    0,
    365,
  )(14).describe(
    'Days for which a browser stays signed in to the console, by a cookie that scripts cannot read. 0: until the page is reloaded.',
  ),
  TEMPORAL_UI_URL: anyUrl().describe(
    'URL of the Temporal UI, for links in the console. `npm start` sets it for the embedded UI.',
  ),
}

type Values = z.output<z.ZodObject<typeof consoleShape>>

export const consoleGroup = { settings: consoleShape, validate: validateConsole }

/** Returns the OAuth client of the console; undefined if the issuer has none. */
export function consoleClient(
  config: Pick<Values, 'CONSOLE_CLIENT_ID'> & { IDENTITY_ISSUER?: string | undefined; consoleUrl: string },
): { clientId: string; redirectUri: string } | undefined {
  const { CONSOLE_CLIENT_ID: clientId, IDENTITY_ISSUER: externalIssuer, consoleUrl } = config
  if (clientId === undefined && externalIssuer !== undefined) return undefined
  return { clientId: clientId ?? 'console', redirectUri: `${consoleUrl}/signed-in` }
}

/** Returns the origins of the console, the API (empty if the same) and the issuer (empty if the API is the issuer). */
export function consoleOrigins(config: { consoleUrl: string; baseUrl: string; IDENTITY_ISSUER?: string | undefined }): {
  origin: string
  apiOrigin: string
  issuerOrigin: string
} {
  const { origin } = new URL(config.consoleUrl)
  const api = new URL(config.baseUrl).origin
  const issuer = config.IDENTITY_ISSUER === undefined ? '' : (parseUrl(config.IDENTITY_ISSUER)?.origin ?? '')
  return { origin, apiOrigin: origin === api ? '' : api, issuerOrigin: issuer }
}

function validateConsole({ CONSOLE, CONSOLE_URL }: Values): string[] {
  const url = parseUrl(CONSOLE_URL ?? '')
  if (!CONSOLE || url === undefined || /^\/console\/?$/.test(url.pathname)) return []
  return [
    `CONSOLE_URL (${url.href}) must end with /console, where the API serves the console. To serve it elsewhere, set CONSOLE=off.`,
  ]
}
