import { kibibytes, type Tag } from '../http/route.ts'

export const researchTag: Tag = {
  name: 'Research',
  description: 'Data that is bought from external providers: play counts and live events.',
}

export const routeDefaults = {
  tag: researchTag,
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const
