import { kibibytes } from '../../http/route.ts'

export const formBytes = kibibytes(16)

export const routeDefaults = {
  tag: { name: 'Identity', description: 'The embedded issuer of bearer tokens, for development.' },
  auth: 'none',
  ownership: 'Anyone with the development token can sign in as any address.',
  envelope: 'standard',
  rate: 'default',
} as const

export const absence = 'Absent with an external issuer.'
