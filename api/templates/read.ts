import { z } from 'zod'
import { listTemplates } from '../../db/templates/view.ts'
import { countedPage, countedPagination, pageQuery } from '../../domain/fields/pages.ts'
import { templateOnWire, templateSchema } from '../../domain/templates/template.ts'
import type { ApiDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { routeDefaults, viewerOf } from './route-defaults.ts'

export function listRoute(deps: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/agents/templates',
    summary: 'List templates, by title',
    ownership: "The caller's own, public ones, and private ones that are shared with an address of the caller.",
    query: z.object(pageQuery(500, 100, 1_000_000)),
    responses: {
      200: z.object({
        status: z.literal('success'),
        templates: z.array(templateSchema),
        pagination: countedPagination,
      }),
    },
    errors: ['invalid_request', 'unauthorized'],
    handle: async ({ caller, query: { limit, offset } }) => {
      const { templates, count } = await listTemplates(deps.db, viewerOf(deps, caller), { limit, offset })
      return {
        status: 200,
        body: {
          status: 'success',
          templates: templates.map(templateOnWire),
          pagination: countedPage(count, { limit, offset }),
        },
      }
    },
  })
}
