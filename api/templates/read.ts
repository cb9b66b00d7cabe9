import { z } from 'zod'
import { findTemplate, listTemplates } from '../../db/templates/view.ts'
import { countedPage, countedPagination, pageQuery } from '../../domain/fields/pages.ts'
import { toTemplateResponse, templateSchema } from '../../domain/templates/template.ts'
import type { RouteDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { routeDefaults, templateResponse, templateId, templateNotFound, toViewer } from './route-defaults.ts'

export function listRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/agents/templates',
    summary: 'List templates, sorted by title',
    ownership:
      "The caller's own templates, public templates, and templates that are shared with an email address of the caller.",
    query: z.object(pageQuery(500, 100, 1_000_000)),
    responses: {
      200: z.object({
        status: z.literal('success'),
        templates: z.array(templateSchema),
        pagination: countedPagination,
      }),
    },
    handle: async ({ caller, query: { limit, offset } }) => {
      const { rows, nextOffset, count } = await listTemplates(deps.db, toViewer(deps, caller), { limit, offset })
      return {
        status: 200,
        body: {
          status: 'success',
          templates: rows.map(toTemplateResponse),
          pagination: countedPage(count, { limit, offset }, nextOffset),
        },
      }
    },
  })
}

export function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/agents/templates/{id}',
    summary: 'Read a template',
    ownership:
      "The caller's own template, a public template, or one that is shared with an email address of the caller.",
    params: templateId,
    responses: { 200: templateResponse },
    errors: ['not_found'],
    handle: async ({ caller, params: { id } }) => {
      const template = await findTemplate(deps.db, toViewer(deps, caller), id)
      if (template?.isVisible !== true) throw templateNotFound()
      return { status: 200, body: { status: 'success', template: toTemplateResponse(template) } }
    },
  })
}
