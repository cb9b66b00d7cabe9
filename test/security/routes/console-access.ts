import {
  bySecretInUrl,
  inQuery,
  anonymous,
  anyAccount,
  ownerAndMembers,
  type RouteAccess,
  type RouteRequest,
} from './sending.ts'

/** Access rules of the console and of the sign-in at the embedded issuer. */
export const consoleAccess: Record<string, RouteAccess> = {
  'GET /api/runs': { allowed: ownerAndMembers, request: inQuery() },
  'GET /api/runs/counts': { allowed: ownerAndMembers, request: inQuery() },
  'GET /api/runs/{runId}/timeline': { allowed: ownerAndMembers, request: ({ runId }) => ({ params: { runId } }) },
  // The run has no step yet.
  'GET /api/runs/{runId}/entries/{entryId}': {
    allowed: ownerAndMembers,
    request: ({ runId }) => ({ params: { runId, entryId: 'step:0' }, query: { part: 'input' } }),
    statusAfterCheck: 404,
  },
  // No caller belongs to the admin organization.
  'GET /api/operator/overview': { allowed: [] },
  'GET /api/operator/activity': { allowed: [] },
  'GET /api/ai/models': { allowed: anyAccount },
  'GET /api/console/me': { allowed: anyAccount },
  'GET /api/console/accounts': { allowed: anyAccount },
  'GET /api/console/settings': { allowed: anonymous },
  'POST /api/console/key': { allowed: anyAccount },
  'DELETE /api/console/key': { allowed: anyAccount },
  // No caller is a page of the console or has a sign-in.
  'POST /api/console/sign-ins': { allowed: [] },
  'POST /api/console/sign-ins/token': { allowed: bySecretInUrl },
  'DELETE /api/console/sign-ins/current': { allowed: bySecretInUrl },
  'GET /api/console/sign-ins': { allowed: anyAccount },
  'DELETE /api/console/sign-ins/{signInId}': { allowed: [] },

  'GET /.well-known/openid-configuration': { allowed: anonymous },
  'GET /identity/authorize': { allowed: bySecretInUrl },
  'POST /identity/authorize': { allowed: bySecretInUrl, request: createFormRequest },
  'POST /identity/oauth/token': { allowed: bySecretInUrl, request: createFormRequest },
  'GET /identity/open/{token}': { allowed: bySecretInUrl },
}

function createFormRequest(): RouteRequest {
  return { body: 'client_id=guess', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}
