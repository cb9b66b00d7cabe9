import { z } from 'zod'
import { findProject } from '../../db/projects/projects.ts'
import { uuid } from '../../domain/fields/fields.ts'
import type { Project } from '../../domain/projects/project.ts'
import { noteObject } from '../access/audit.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { kibibytes, type Caller } from '../http/route.ts'

export const routeDefaults = {
  tag: { name: 'Projects', description: 'Projects of several people: tasks and what is said of them.' },
  auth: 'key-or-bearer',
  envelope: 'e2',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const

export const collaborators = 'Collaborators of the project, and nobody for them.'
export const creating = ['conflict', 'idempotency_mismatch'] as const

export const projectId = z.object({ projectId: uuid })
export const taskIds = z.object({ projectId: uuid, taskId: uuid })

/** The one rule of access: 404, in the same words after the same query, for a stranger's project and for none. */
export async function requireProject({ db }: Pick<ApiDeps, 'db'>, caller: Caller, id: string): Promise<Project> {
  noteObject(caller, id)
  const project = await findProject(db, id, caller.accountId)
  if (project === undefined) throw new ApiError('not_found', 'Project not found')
  return project
}

export function taskNotFound(): ApiError {
  return new ApiError('not_found', 'Task not found')
}
