import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import type { StreamingPort } from '../../providers/streaming/index.ts'
import { standardRoute } from '../http/route.ts'
import type { RouteDeps } from '../deps.ts'

export type ArtistDeps = RouteDeps & { streaming: StreamingPort }

export const routeDefaults = {
  ...standardRoute,
  tag: {
    name: 'Artists',
    description: 'Artists, the data that a workspace keeps about them, and their profiles on other platforms.',
  },
} as const

export const artistParams = z.object({ id: uuid })

export const ownership =
  'The artist must be on the roster of the caller, or of the account named by account_id that the caller may act for, or ' +
  "be attached to one of that account's organizations."
