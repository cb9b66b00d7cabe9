import { z } from 'zod'
import type { Tx } from '../../db/postgres/client.ts'
import {
  deleteTemplate,
  insertTemplate,
  lockTemplate,
  updateTemplate,
  setFavorite,
} from '../../db/templates/templates.ts'
import { findTemplate, type Viewer } from '../../db/templates/view.ts'
import { newTemplateSchema, templateChangesSchema } from '../../domain/templates/request.ts'
import { toTemplateResponse } from '../../domain/templates/template.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { route, success, type Caller, type Route } from '../http/route.ts'
import { doneResponse, routeDefaults, templateResponse, templateId, toViewer } from './route-defaults.ts'

const ownership = "The caller's own template."

export function createRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/agents/templates',
    summary: 'Create a template',
    ownership: 'The template belongs to the caller.',
    widensAccess: true,
    idempotent: 'before-validation',
    example: {
      title: 'Weekly report',
      description: 'What happened on all platforms this week.',
      prompt: 'Sum up what happened on all platforms this week, in five lines.',
      tags: ['report'],
    },
    body: newTemplateSchema,
    responses: { 201: templateResponse },
    handle: ({ caller, body, idempotency }) =>
      deps.db.begin(async (tx) => {
        const id = await insertTemplate(tx, caller.accountId, body)
        recordAuditObject(caller, id)
        const headers = { location: `/api/agents/templates/${id}` }
        return idempotency.remember(tx, {
          status: 201 as const,
          headers,
          body: await toResponseBody(tx, toViewer(deps, caller), id),
        })
      }),
  })
}

export function updateRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    path: '/api/agents/templates/{id}',
    summary: 'Change a template',
    description:
      'A list of email addresses replaces the previous list, and has no effect while the template is public. An empty ' +
      'body changes nothing.',
    ownership,
    widensAccess: true,
    example: { is_private: true, share_emails: ['grace@example.com'] },
    params: templateId,
    body: templateChangesSchema,
    bodyOptional: true,
    responses: { 200: templateResponse },
    errors: ['not_found'],
    handle: ({ caller, params: { id }, body }) =>
      deps.db.begin(async (tx) => {
        await lockOwnTemplate(tx, caller, id)
        if (Object.keys(body).length > 0) await updateTemplate(tx, id, body)
        return { status: 200, body: await toResponseBody(tx, toViewer(deps, caller), id) }
      }),
  })
}

export function deleteRoute({ db }: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/agents/templates/{id}',
    summary: 'Delete a template',
    ownership,
    params: templateId,
    responses: { 200: doneResponse },
    errors: ['forbidden', 'not_found'],
    handle: ({ caller, params: { id } }) =>
      db.begin(async (tx) => {
        await lockOwnTemplate(tx, caller, id)
        await deleteTemplate(tx, id)
        return success({})
      }),
  })
}

/** Locks a template of the caller. Throws 404 for an unknown template, and 403 for a template of another account. */
async function lockOwnTemplate(tx: Tx, caller: Caller, id: string): Promise<void> {
  recordAuditObject(caller, id)
  const template = await lockTemplate(tx, id)
  if (template === undefined) throw notFound('Template')
  if (template.creator !== caller.accountId) throw new ApiError('forbidden', 'Only its owner may change a template')
}

async function toResponseBody(tx: Tx, viewer: Viewer, id: string) {
  const template = await findTemplate(tx, viewer, id)
  if (template === undefined) throw new Error('a template that was just written is missing')
  return { status: 'success' as const, template: toTemplateResponse(template) }
}

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
