import { standardRoute, type Tag } from '../http/route.ts'

export const researchTag: Tag = {
  name: 'Research',
  description: 'Data that is bought from external providers: play counts and live events.',
}

export const routeDefaults = {
  ...standardRoute,
  tag: researchTag,
} as const
