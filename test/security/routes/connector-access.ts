import { byKeyInAddress, inBody, inQuery, self, shared, type RouteAccess } from './sending.ts'

/** Connectors of the caller and of accounts that it may act for. */
export const connectorAccess: Record<string, RouteAccess> = {
  'GET /api/connectors': { allowed: shared, request: inQuery() },
  'POST /api/connectors': { allowed: shared, request: inBody({ connector: 'notebook' }) },
  'GET /api/connectors/callback': { allowed: byKeyInAddress },
  // An unknown code, which is looked up after the access check of the route.
  'POST /api/connectors/confirmations': { allowed: self, request: () => ({ body: { code: 'guess' } }), passes: 404 },
  'PUT /api/connectors/confirmations': {
    allowed: self,
    request: () => ({ body: { code: 'guess', connect: true } }),
    passes: 404,
  },
  'DELETE /api/connectors': {
    allowed: shared,
    request: (victim) => inBody({ connected_account_id: victim.connectedAccountId })(victim),
  },
  'GET /api/connectors/actions': { allowed: shared, request: inQuery() },
  'POST /api/connectors/actions': {
    allowed: shared,
    request: inBody({ actionSlug: 'NOTEBOOK_LIST_NOTES', parameters: {} }),
  },
  'POST /api/connectors/files': {
    allowed: shared,
    request: inBody({ url: 'https://127.0.0.1/a.png', actionSlug: 'TIKTOK_SHOW_IMAGE' }),
  },
  'GET /consent/{id}': { allowed: byKeyInAddress },
  'POST /consent/{id}': { allowed: byKeyInAddress },
}
