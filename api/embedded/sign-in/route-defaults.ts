import { kibibytes } from '../../http/route.ts'

export const maxFormBytes = kibibytes(16)

export const routeDefaults = {
  tag: { name: 'Identity', description: 'The embedded issuer of bearer tokens, for development.' },
  auth: 'none',
  ownership: 'Anyone with the development token can sign in with any email address.',
  envelope: 'standard',
  rate: 'default',
} as const

export const externalIssuerNote = 'Not available when an external issuer is configured.'
