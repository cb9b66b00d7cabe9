import { mebibytes } from '../http/route.ts'

export const routeDefaults = {
  tag: { name: 'Runs', description: 'Turns and jobs in one list, each with a timeline.' },
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: mebibytes(1),
  rate: 'default',
} as const
