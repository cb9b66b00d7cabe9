import { z } from 'zod'
import { readAccount } from '../../db/accounts/records.ts'
import { enqueueMail } from '../../db/mail/outbox.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { insertCollaborator, listCollaborators } from '../../db/projects/projects.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { projectMail } from '../../domain/projects/mail.ts'
import { toCollaboratorResponse, collaboratorSchema, type Project } from '../../domain/projects/project.ts'
import { newCollaboratorSchema } from '../../domain/projects/request.ts'
import { resolveStartingCredits } from '../accounts/starting-credits.ts'
import type { WorkDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { startMail } from '../mail/delivery.ts'
import { countInvitationMail } from '../mail/invitation-limits.ts'
import { collaboratorOwnership, projectId, requireProject, routeDefaults } from './route-defaults.ts'
import { successOf } from '../../domain/fields/fields.ts'
import { resolvePerson } from '../accounts/people.ts'

const path = '/api/projects/{projectId}/collaborators'
const responseSchema = successOf({ collaborator: collaboratorSchema })

export function listCollaboratorsRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'List the collaborators of a project in the order in which they joined',
    ownership: collaboratorOwnership,
    params: projectId,
    query: z.object(pageQuery(200, 100, 1_000_000)),
    responses: { 200: successOf({ collaborators: z.array(collaboratorSchema) }) },
    errors: ['not_found'],
    handle: async ({ caller, params, query }) => {
      const { id } = await requireProject(deps, caller, params.projectId)
      const people = await listCollaborators(deps.db, id, query)
      return success({ collaborators: people.map(toCollaboratorResponse) })
    },
  })
}

export function addCollaboratorRoute(deps: WorkDeps): Route {
  const { db } = deps
  return route({
    ...routeDefaults,
    method: 'POST',
    path,
    summary: 'Add a collaborator to a project',
    description:
      'Takes effect immediately; the collaborator receives one email. An unknown address gets an account. The number of ' +
      'emails per sending account and per recipient address is limited each day (429).',
    ownership: collaboratorOwnership,
    widensAccess: true,
    idempotent: 'before-validation',
    example: { email: 'grace@example.com' },
    params: projectId,
    body: newCollaboratorSchema,
    responses: { 200: responseSchema, 201: responseSchema },
    errors: ['not_found'],
    handle: async ({ caller, holder, params, body, idempotency }) => {
      const project = await requireProject(deps, caller, params.projectId)
      const { added, mailId } = await db.begin(async (tx) => {
        const accountId = await resolvePerson(tx, body, resolveStartingCredits(deps, holder.address))
        const isNew = await insertCollaborator(tx, project.id, accountId)
        const { name, emails } = await readAccount(tx, accountId)
        const response = success({ collaborator: toCollaboratorResponse({ accountId, name }) })
        const added = await idempotency.remember(tx, { ...response, status: isNew ? 201 : 200 } as const)
        const to = body.email ?? emails[0]
        const isNotified = isNew && accountId !== caller.accountId && to !== undefined
        return {
          added,
          mailId: isNotified
            ? await enqueueProjectMail(tx, { invitedBy: caller.accountId, accountId, to, project })
            : undefined,
        }
      })
      startMail(deps, mailId)
      return added
    },
  })

  async function enqueueProjectMail(
    tx: Tx,
    invitation: { invitedBy: string; accountId: string; to: string; project: Project },
  ) {
    const { invitedBy, accountId, to, project } = invitation
    await countInvitationMail(tx, deps, { invitedBy, to })
    const reference = `project:${project.id}:${accountId}`
    return enqueueMail(tx, { reference, accountId, to: [to], ...projectMail(project.name) })
  }
}
