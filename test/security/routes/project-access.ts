import { own, self, type RouteAccess, type Victim } from './sending.ts'

const ofTemplate = ({ templateId }: Victim) => ({ params: { id: templateId } })
const ofProject = ({ projectId }: Victim) => ({ params: { projectId } })
const ofTask = ({ projectId, projectTaskId }: Victim) => ({ params: { projectId, taskId: projectTaskId } })

/** Templates, and projects with their tasks: no account may act for another. */
export const projectAccess: Record<string, RouteAccess> = {
  'GET /api/agents/templates': { allowed: self },
  'POST /api/agents/templates': {
    allowed: self,
    request: () => ({
      body: {
        title: 'Report',
        description: 'What happened.',
        prompt: 'Say what happened this week.',
        is_private: true,
      },
    }),
  },
  'GET /api/agents/templates/{id}': { allowed: own, request: ofTemplate },
  'PATCH /api/agents/templates/{id}': {
    allowed: own,
    request: (victim) => ({ ...ofTemplate(victim), body: { tags: ['x'] } }),
  },
  'DELETE /api/agents/templates/{id}': { allowed: own, request: ofTemplate },
  'PUT /api/agents/templates/{id}/favorite': {
    allowed: own,
    request: (victim) => ({ ...ofTemplate(victim), body: { is_favourite: true } }),
  },

  'GET /api/projects': { allowed: self },
  'POST /api/projects': { allowed: self, request: () => ({ body: { name: 'x' } }) },
  'GET /api/projects/{projectId}': { allowed: own, request: ofProject },
  'GET /api/projects/{projectId}/collaborators': { allowed: own, request: ofProject },
  'POST /api/projects/{projectId}/collaborators': {
    allowed: own,
    request: (victim) => ({ ...ofProject(victim), body: { account_id: victim.account.id } }),
  },
  'GET /api/projects/{projectId}/tasks': { allowed: own, request: ofProject },
  'POST /api/projects/{projectId}/tasks': {
    allowed: own,
    request: (victim) => ({ ...ofProject(victim), body: { title: 'x' } }),
  },
  'GET /api/projects/{projectId}/tasks/{taskId}': { allowed: own, request: ofTask },
  'PATCH /api/projects/{projectId}/tasks/{taskId}': {
    allowed: own,
    request: (victim) => ({ ...ofTask(victim), body: { completed: true } }),
  },
  'DELETE /api/projects/{projectId}/tasks/{taskId}': { allowed: own, request: ofTask },
  'GET /api/projects/{projectId}/tasks/{taskId}/comments': { allowed: own, request: ofTask },
  'POST /api/projects/{projectId}/tasks/{taskId}/comments': {
    allowed: own,
    request: (victim) => ({ ...ofTask(victim), body: { body: 'x' } }),
  },
}
