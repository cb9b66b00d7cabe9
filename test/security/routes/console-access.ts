import { byKeyInAddress, inQuery, open, self, shared, type RouteAccess, type Sending } from './sending.ts'

/** Requests of the console, and the sign-in of its users at the embedded issuer. */
export const consoleAccess: Record<string, RouteAccess> = {
  'GET /api/runs': { allowed: shared, request: inQuery() },
  'GET /api/runs/counts': { allowed: shared, request: inQuery() },
  'GET /api/runs/{runId}/timeline': { allowed: shared, request: ({ runId }) => ({ params: { runId } }) },
  // The run has no step yet.
  'GET /api/runs/{runId}/entries/{entryId}': {
    allowed: shared,
    request: ({ runId }) => ({ params: { runId, entryId: 'step:0' }, query: { part: 'input' } }),
    passes: 404,
  },
  // None of the callers belongs to the admin organization.
  'GET /api/operator/overview': { allowed: [] },
  'GET /api/operator/activity': { allowed: [] },
  'GET /api/ai/models': { allowed: self },
  'GET /api/console/me': { allowed: self },
  'GET /api/console/accounts': { allowed: self },
  'GET /api/console/settings': { allowed: open },
  'POST /api/console/key': { allowed: self },
  'DELETE /api/console/key': { allowed: self },
  // None of the callers is a page of the console or has a sign-in.
  'POST /api/console/sign-ins': { allowed: [] },
  'POST /api/console/sign-ins/token': { allowed: byKeyInAddress },
  'DELETE /api/console/sign-ins/current': { allowed: byKeyInAddress },
  'GET /api/console/sign-ins': { allowed: self },
  'DELETE /api/console/sign-ins/{signInId}': { allowed: [] },

  'GET /.well-known/openid-configuration': { allowed: open },
  'GET /identity/authorize': { allowed: byKeyInAddress },
  'POST /identity/authorize': { allowed: byKeyInAddress, request: form },
  'POST /identity/oauth/token': { allowed: byKeyInAddress, request: form },
  'GET /identity/open/{token}': { allowed: byKeyInAddress },
}

function form(): Sending {
  return { body: 'client_id=guess', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}
