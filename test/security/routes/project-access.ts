import { ownerOnly, anyAccount, type RouteAccess, type Victim } from './sending.ts'

const byTemplate = ({ templateId }: Victim) => ({ params: { id: templateId } })
const byProject = ({ projectId }: Victim) => ({ params: { projectId } })
const byTask = ({ projectId, projectTaskId }: Victim) => ({ params: { projectId, taskId: projectTaskId } })

/** Access rules of templates and projects, where no account may act for another. */
export const projectAccess: Record<string, RouteAccess> = {
  'GET /api/agents/templates': { allowed: anyAccount },
  'POST /api/agents/templates': {
    allowed: anyAccount,
    request: () => ({
      body: {
        title: 'Report',
        description: 'What happened.',
        prompt: 'Say what happened this week.',
        is_private: true,
      },
    }),
  },
  'GET /api/agents/templates/{id}': { allowed: ownerOnly, request: byTemplate },
  'PATCH /api/agents/templates/{id}': {
    allowed: ownerOnly,
    request: (victim) => ({ ...byTemplate(victim), body: { tags: ['x'] } }),
  },
  'DELETE /api/agents/templates/{id}': { allowed: ownerOnly, request: byTemplate },
  'PUT /api/agents/templates/{id}/favorite': {
    allowed: ownerOnly,
    request: (victim) => ({ ...byTemplate(victim), body: { is_favourite: true } }),
  },

  'GET /api/projects': { allowed: anyAccount },
  'POST /api/projects': { allowed: anyAccount, request: () => ({ body: { name: 'x' } }) },
  'GET /api/projects/{projectId}': { allowed: ownerOnly, request: byProject },
  'GET /api/projects/{projectId}/collaborators': { allowed: ownerOnly, request: byProject },
  'POST /api/projects/{projectId}/collaborators': {
    allowed: ownerOnly,
    request: (victim) => ({ ...byProject(victim), body: { account_id: victim.account.id } }),
  },
  'GET /api/projects/{projectId}/tasks': { allowed: ownerOnly, request: byProject },
  'POST /api/projects/{projectId}/tasks': {
    allowed: ownerOnly,
    request: (victim) => ({ ...byProject(victim), body: { title: 'x' } }),
  },
  'GET /api/projects/{projectId}/tasks/{taskId}': { allowed: ownerOnly, request: byTask },
  'PATCH /api/projects/{projectId}/tasks/{taskId}': {
    allowed: ownerOnly,
    request: (victim) => ({ ...byTask(victim), body: { completed: true } }),
  },
  'DELETE /api/projects/{projectId}/tasks/{taskId}': { allowed: ownerOnly, request: byTask },
  'GET /api/projects/{projectId}/tasks/{taskId}/comments': { allowed: ownerOnly, request: byTask },
  'POST /api/projects/{projectId}/tasks/{taskId}/comments': {
    allowed: ownerOnly,
    request: (victim) => ({ ...byTask(victim), body: { body: 'x' } }),
  },
}
