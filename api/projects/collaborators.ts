import { z } from 'zod'
import { ensurePersonInTransaction, type StartCredits } from '../../db/accounts/people.ts'
import { findAccount, readAccount } from '../../db/accounts/records.ts'
import { enqueueMail } from '../../db/mail/outbox.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { insertCollaborator, listCollaborators } from '../../db/projects/projects.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { projectMail } from '../../domain/projects/mail.ts'
import { toCollaboratorResponse, collaboratorSchema, type Project } from '../../domain/projects/project.ts'
import { newCollaboratorSchema } from '../../domain/projects/request.ts'
import { resolveStartingCredits } from '../accounts/starting-credits.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, type Route } from '../http/route.ts'
import { startMail } from '../mail/delivery.ts'
import { countInvitationMail } from '../mail/invitation-limits.ts'
import { collaboratorOwnership, creationErrors, projectId, requireProject, routeDefaults } from './route-defaults.ts'

const path = '/api/projects/{projectId}/collaborators'
const responseSchema = z.object({ status: z.literal('success'), collaborator: collaboratorSchema })

export function listCollaboratorsRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'List the collaborators of a project in the order in which they joined',
    ownership: collaboratorOwnership,
    params: projectId,
    query: z.object(pageQuery(200, 100, 1_000_000)),
    responses: { 200: z.object({ status: z.literal('success'), collaborators: z.array(collaboratorSchema) }) },
    errors: ['unauthorized', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const { id } = await requireProject(deps, caller, params.projectId)
      const people = await listCollaborators(deps.db, id, query)
      return { status: 200, body: { status: 'success', collaborators: people.map(toCollaboratorResponse) } }
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
    errors: ['unauthorized', 'not_found', ...creationErrors],
    handle: async ({ caller, holder, params, body, idempotency }) => {
      const project = await requireProject(deps, caller, params.projectId)
      const { added, mailId } = await db.begin(async (tx) => {
        const accountId = await resolveTarget(tx, body, resolveStartingCredits(deps, holder.address))
        const isNew = await insertCollaborator(tx, project.id, accountId)
        const { name, emails } = await readAccount(tx, accountId)
        const added = {
          status: isNew ? (201 as const) : (200 as const),
          body: { status: 'success' as const, collaborator: toCollaboratorResponse({ accountId, name }) },
        }
        await idempotency.remember(tx, added)
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

type Target = { account_id?: string | undefined; email?: string | undefined }

/** Returns the person to add. Creates the person for an unknown address. */
async function resolveTarget(tx: Tx, { account_id: accountId, email }: Target, credits: StartCredits): Promise<string> {
  if (email !== undefined) return (await ensurePersonInTransaction(tx, email, credits)).accountId
  const account = accountId === undefined ? undefined : await findAccount(tx, accountId)
  if (account?.kind === 'person') return account.id
  throw new ApiError('invalid_request', 'account_id must be the account of a person', { missingFields: ['account_id'] })
}
