import type { WorkDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { addCollaboratorRoute, listCollaboratorsRoute } from './collaborators.ts'
import { commentRoute, listCommentsRoute } from './comments.ts'
import { createRoute, listRoute, readRoute } from './projects.ts'
import { createTaskRoute, deleteTaskRoute, listTasksRoute, readTaskRoute, updateTaskRoute } from './tasks.ts'

/** Routes of projects, their tasks, comments and collaborators. */
export function projectRoutes(deps: WorkDeps): Route[] {
  return [
    createRoute(deps),
    listRoute(deps),
    readRoute(deps),
    listCollaboratorsRoute(deps),
    addCollaboratorRoute(deps),
    listTasksRoute(deps),
    createTaskRoute(deps),
    readTaskRoute(deps),
    updateTaskRoute(deps),
    deleteTaskRoute(deps),
    listCommentsRoute(deps),
    commentRoute(deps),
  ]
}
