import { z } from 'zod'
import { lockTemplate, setFavorite } from '../../db/templates/templates.ts'
import { findTemplate } from '../../db/templates/view.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { doneResponse, routeDefaults, templateId, toViewer } from './route-defaults.ts'

export function favoriteRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PUT',
    path: '/api/agents/templates/{id}/favorite',
    summary: 'Add a template to the favorites, or remove it',
    ownership: 'A template that is visible to the caller. The favorite belongs to the caller.',
    example: { is_favourite: true },
    params: templateId,
    body: z.object({ is_favourite: z.boolean() }),
    responses: { 200: doneResponse },
    errors: ['forbidden', 'not_found'],
    handle: ({ caller, params: { id }, body }) =>
      deps.db.begin(async (tx) => {
        recordAuditObject(caller, id)
        const exists = (await lockTemplate(tx, id)) !== undefined
        const template = exists ? await findTemplate(tx, toViewer(deps, caller), id) : undefined
        if (template === undefined) throw notFound('Template')
        if (!template.isVisible) throw new ApiError('forbidden', 'Access denied to this template')
        await setFavorite(tx, id, caller.accountId, body.is_favourite)
        return success({})
      }),
  })
}
