import { z } from 'zod'
import { insertProject, listCollaborators, listProjects } from '../../db/projects/projects.ts'
import { listTasks } from '../../db/projects/tasks.ts'
import { countedPage, countedPagination, pageQuery } from '../../domain/fields/pages.ts'
import {
  toCollaboratorResponse,
  collaboratorSchema,
  toProjectResponse,
  projectSchema,
  embeddedListLimits,
  toTaskResponse,
  taskSchema,
} from '../../domain/projects/project.ts'
import { newProjectSchema } from '../../domain/projects/request.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { DbDeps } from '../deps.ts'
import { route, success, created, type Route } from '../http/route.ts'
import { collaboratorOwnership, projectId, requireProject, routeDefaults } from './route-defaults.ts'
import { successOf } from '../../domain/fields/fields.ts'

export function createRoute({ db }: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/projects',
    summary: 'Create a project',
    description: 'The caller becomes the first collaborator.',
    ownership: 'The project belongs to the caller.',
    idempotent: 'before-validation',
    example: { name: 'Spring release' },
    body: newProjectSchema,
    responses: { 201: successOf({ project: projectSchema }) },
    handle: ({ caller, body: { name }, idempotency }) =>
      db.begin(async (tx) => {
        const project = toProjectResponse(await insertProject(tx, name, caller.accountId))
        recordAuditObject(caller, project.id)
        return idempotency.remember(tx, created(`/api/projects/${project.id}`, { project }))
      }),
  })
}

export function listRoute({ db }: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/projects',
    summary: 'List projects, newest first',
    ownership: 'Projects that the caller collaborates on.',
    query: z.object(pageQuery(100, 50, 1_000_000)),
    responses: { 200: successOf({ projects: z.array(projectSchema), pagination: countedPagination }) },
    handle: async ({ caller, query: { limit, offset } }) => {
      const { projects, count } = await listProjects(db, caller.accountId, { limit, offset })
      return success({ projects: projects.map(toProjectResponse), pagination: countedPage(count, { limit, offset }) })
    },
  })
}

export function readRoute(deps: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/projects/{projectId}',
    summary: 'Read a project with its tasks and collaborators',
    description: `Returns the first ${embeddedListLimits.tasks} tasks and the first ${embeddedListLimits.collaborators} collaborators. Their own routes return all of them, page by page.`,
    ownership: collaboratorOwnership,
    params: projectId,
    responses: {
      200: successOf({
        project: projectSchema,
        tasks: z.array(taskSchema),
        collaborators: z.array(collaboratorSchema),
      }),
    },
    errors: ['not_found'],
    handle: async ({ caller, params }) => {
      const project = await requireProject(deps, caller, params.projectId)
      const [tasks, people] = await Promise.all([
        listTasks(deps.db, project.id, { limit: embeddedListLimits.tasks, offset: 0 }),
        listCollaborators(deps.db, project.id, { limit: embeddedListLimits.collaborators, offset: 0 }),
      ])
      return success({
        project: toProjectResponse(project),
        tasks: tasks.rows.map(toTaskResponse),
        collaborators: people.map(toCollaboratorResponse),
      })
    },
  })
}
