import { z } from 'zod'
import { findProject } from '../../db/projects/projects.ts'
import { uuid } from '../../domain/fields/fields.ts'
import type { Project } from '../../domain/projects/project.ts'
import { recordAuditObject } from '../access/audit.ts'
import { ApiError } from '../http/errors.ts'
import { standardRoute, type Caller } from '../http/route.ts'
import type { DbDeps } from '../deps.ts'

export const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Projects', description: 'Projects that several people share, with tasks and comments.' },
} as const

export const collaboratorOwnership = 'Collaborators of the project. No other account can act for them.'

export const projectId = z.object({ projectId: uuid })
export const taskIds = z.object({ projectId: uuid, taskId: uuid })

/**
 * Creates the error for a missing project, another account's project or a missing task. It is the same for all, so that it
 * reveals nothing about the projects of other accounts.
 */
export function projectNotFound(): ApiError {
  return new ApiError('not_found', 'Project or task not found')
}

/** Returns the project if the caller collaborates on it; otherwise throws 404. */
export async function requireProject({ db }: DbDeps, caller: Caller, id: string): Promise<Project> {
  recordAuditObject(caller, id)
  const project = await findProject(db, id, caller.accountId)
  if (project === undefined) throw projectNotFound()
  return project
}
