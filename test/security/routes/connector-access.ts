import { bySecretInUrl, inBody, inQuery, anyAccount, ownerAndMembers, type RouteAccess } from './sending.ts'

/** Access rules of connectors. */
export const connectorAccess: Record<string, RouteAccess> = {
  'GET /api/connectors': { allowed: ownerAndMembers, request: inQuery() },
  'POST /api/connectors': { allowed: ownerAndMembers, request: inBody({ connector: 'notebook' }) },
  'GET /api/connectors/callback': { allowed: bySecretInUrl },
  // The route looks up the unknown code after its access check.
  'POST /api/connectors/confirmations': {
    allowed: anyAccount,
    request: () => ({ body: { code: 'guess' } }),
    statusAfterCheck: 404,
  },
  'PUT /api/connectors/confirmations': {
    allowed: anyAccount,
    request: () => ({ body: { code: 'guess', connect: true } }),
    statusAfterCheck: 404,
  },
  'DELETE /api/connectors': {
    allowed: ownerAndMembers,
    request: (victim) => inBody({ connected_account_id: victim.connectedAccountId })(victim),
  },
  'GET /api/connectors/actions': { allowed: ownerAndMembers, request: inQuery() },
  'POST /api/connectors/actions': {
    allowed: ownerAndMembers,
    request: inBody({ actionSlug: 'NOTEBOOK_LIST_NOTES', parameters: {} }),
  },
  'POST /api/connectors/files': {
    allowed: ownerAndMembers,
    request: inBody({ url: 'https://127.0.0.1/a.png', actionSlug: 'TIKTOK_SHOW_IMAGE' }),
  },
  'GET /consent/{id}': { allowed: bySecretInUrl },
  'POST /consent/{id}': { allowed: bySecretInUrl },
}
