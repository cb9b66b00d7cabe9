import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  tag: { name: 'Console', description: 'Additional routes for the web console.' },
  envelope: 'standard',
  bodyLimit: kibibytes(16),
  rate: 'default',
} as const
