import { z } from 'zod'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { createRoute, deleteRoute, updateRoute, favoriteRoute } from './write.ts'
import { findTemplate, listTemplates } from '../../db/templates/view.ts'
import { countedPage, countedPagination, pageQuery } from '../../domain/fields/pages.ts'
import { toTemplateResponse, templateSchema } from '../../domain/templates/template.ts'
import { routeDefaults, templateResponse, templateId, toViewer } from './route-defaults.ts'
import { notFound } from '../http/errors.ts'
import { successOf } from '../../domain/fields/fields.ts'

/** Routes of prompts that people save and share. */
export function templateRoutes(deps: RouteDeps): Route[] {
  return [
    listRoute(deps),
    readRoute(deps),
    createRoute(deps),
    updateRoute(deps),
    deleteRoute(deps),
    favoriteRoute(deps),
  ]
}

function listRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/agents/templates',
    summary: 'List templates, sorted by title',
    ownership:
      "The caller's own templates, public templates, and templates that are shared with an email address of the caller.",
    query: z.object(pageQuery(500, 100, 1_000_000)),
    responses: { 200: successOf({ templates: z.array(templateSchema), pagination: countedPagination }) },
    handle: async ({ caller, query: { limit, offset } }) => {
      const { rows, nextOffset, count } = await listTemplates(deps.db, toViewer(deps, caller), { limit, offset })
      return success({
        templates: rows.map(toTemplateResponse),
        pagination: countedPage(count, { limit, offset }, nextOffset),
      })
    },
  })
}

function readRoute(deps: RouteDeps): Route {
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
      if (template?.isVisible !== true) throw notFound('Template')
      return success({ template: toTemplateResponse(template) })
    },
  })
}
