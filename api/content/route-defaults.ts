import { kibibytes } from '../http/route.ts'

export const routeDefaults = {
  tag: {
    name: 'Content',
    description: 'Short upright videos with a part of a song, and the agent that makes them in a team chat.',
  },
  auth: 'key-or-bearer',
  envelope: 'e2',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const
