import type { consoleClient } from '../../../config.ts'
import type { TokenIssuer } from '../../../providers/identity/index.ts'
import { kibibytes, streamedResponse } from '../../http/route.ts'
import type { RouteDeps } from '../../deps.ts'

export type IssuerDeps = RouteDeps & {
  /** The embedded issuer, for development without an external one. */
  issuer?: TokenIssuer | undefined
}

/** The only client of the issuer, and the only URL to which it redirects. */
export type Client = NonNullable<ReturnType<typeof consoleClient>>

export const maxFormBytes = kibibytes(16)

export const routeDefaults = {
  tag: {
    name: 'Identity',
    description: 'The embedded issuer of bearer tokens, for development. Not available with an external issuer.',
  },
  auth: 'none',
  ownership: 'Anyone with the development token can sign in with any email address.',
  envelope: 'standard',
  rate: 'default',
} as const

export const pageResponse = streamedResponse('text/html', 'The page.')
