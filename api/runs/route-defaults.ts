import { mebibytes, standardRoute } from '../http/route.ts'

export const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Runs', description: 'Turns and jobs in one list, each with a timeline.' },
  bodyLimit: mebibytes(1),
} as const
