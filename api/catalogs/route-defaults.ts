import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import type { StreamingPort } from '../../providers/streaming/index.ts'
import { standardRoute, type Tag } from '../http/route.ts'
import type { RouteDeps } from '../deps.ts'

export type CatalogDeps = RouteDeps & { streaming: StreamingPort }

export const catalogTag: Tag = {
  name: 'Catalogs',
  description: 'Catalogs of songs, their play counts and estimated values.',
}

export const routeDefaults = {
  ...standardRoute,
  tag: catalogTag,
} as const

export const catalogParams = z.object({ catalogId: uuid })

export const ownership = "The caller or one of the caller's organizations must own the catalog."
