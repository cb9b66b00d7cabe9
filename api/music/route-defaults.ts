import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  tag: { name: 'Music', description: 'Tracks that are generated from text.' },
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const
