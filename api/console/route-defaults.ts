import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  tag: { name: 'Console', description: 'What the web page for people needs besides everything else.' },
  envelope: 'e2',
  bodyLimit: kibibytes(16),
  rate: 'default',
} as const
