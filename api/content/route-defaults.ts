import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  tag: {
    name: 'Content',
    description: 'Short vertical videos with a part of a song, and the agent that creates them from a team chat.',
  },
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const
