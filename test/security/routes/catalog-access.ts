import { byKeyInAddress, inBody, inQuery, ofId, own, self, shared, type RouteAccess, type Victim } from './sending.ts'

const ofCatalog = ({ catalogId }: Victim) => ({ params: { catalogId } })
const songOf = ({ catalogId }: Victim) => ({ body: { songs: [{ catalog_id: catalogId, isrc: 'ZZAAA0000001' }] } })

/** Catalogs, their measurements and valuations, and generated music. */
export const catalogAccess: Record<string, RouteAccess> = {
  'GET /api/artists/{id}/profile': { allowed: own, request: ({ artistId }) => ({ params: { id: artistId } }) },
  'GET /api/catalogs': { allowed: shared, request: inQuery() },
  'GET /api/accounts/{id}/catalogs': { allowed: shared, request: ofId },
  'POST /api/catalogs': { allowed: own, request: ({ snapshotId }) => ({ body: { snapshot: snapshotId } }) },
  'GET /api/catalogs/{catalogId}': { allowed: own, request: ofCatalog },
  'PATCH /api/catalogs/{catalogId}': {
    allowed: own,
    request: (victim) => ({ ...ofCatalog(victim), body: { name: 'Private' } }),
  },
  'DELETE /api/catalogs/{catalogId}': { allowed: own, request: ofCatalog },
  'GET /api/catalogs/songs': { allowed: own, request: ({ catalogId }) => ({ query: { catalog_id: catalogId } }) },
  'POST /api/catalogs/songs': { allowed: own, request: songOf },
  'DELETE /api/catalogs/songs': { allowed: own, request: songOf },
  'GET /api/catalogs/{catalogId}/measurements': { allowed: own, request: ofCatalog },
  'GET /api/catalogs/{catalogId}/valuations': { allowed: own, request: ofCatalog },
  'POST /api/valuation': { allowed: shared, request: inBody({ streaming_artist_id: 'releases1' }) },
  'POST /api/research/measurement-jobs': {
    allowed: shared,
    request: inBody({ scope: { album_ids: ['a001releases1'] }, source: 'current' }),
  },
  'GET /api/research/measurement-jobs': { allowed: shared, request: inQuery() },
  'GET /api/research/measurement-jobs/{id}': {
    allowed: shared,
    request: ({ snapshotId }) => ({ params: { id: snapshotId } }),
  },
  'GET /api/research/artists': { allowed: self, request: () => ({ query: { search: 'velvet' } }) },
  // The artist has no live-events profile.
  'POST /api/research/events': {
    allowed: own,
    request: ({ artistId }) => ({ body: { artist_id: artistId } }),
    passes: 404,
  },

  'GET /api/artists/{id}/posts': { allowed: own, request: ({ artistId }) => ({ params: { id: artistId } }) },
  'POST /api/artist/socials/scrape': {
    allowed: own,
    request: ({ artistId }) => ({ body: { artist_account_id: artistId } }),
  },
  'POST /api/socials/{id}/scrape': {
    allowed: own,
    request: ({ socialId }) => ({ params: { id: socialId }, body: {} }),
  },
  'POST /api/content-agent/{platform}': {
    allowed: byKeyInAddress,
    request: () => ({ params: { platform: 'teamchat' }, body: {} }),
  },
  'POST /api/content-agent/callback': { allowed: byKeyInAddress, request: () => ({ body: {} }) },
  'GET /api/content/templates': { allowed: self },
  'GET /api/content/videos': { allowed: shared, request: inQuery() },
  'GET /api/content/videos/{runId}': {
    allowed: shared,
    request: ({ videoRunId }) => ({ params: { runId: videoRunId } }),
  },
  'DELETE /api/content/videos/{runId}': {
    allowed: shared,
    request: ({ videoRunId }) => ({ params: { runId: videoRunId } }),
  },
  // None of the callers has a source repository, but account and artist are checked first.
  'POST /api/content/create': {
    allowed: shared,
    request: ({ account, artistId }) => ({ body: { account_id: account.id, artist_account_id: artistId } }),
    passes: 400,
  },
  'POST /api/music': { allowed: shared, request: inBody({ prompt: 'house', lyrics: 'la' }) },
  'GET /api/music': { allowed: shared, request: inQuery() },
  'GET /api/music/{generationId}': {
    allowed: shared,
    request: ({ generationId }) => ({ params: { generationId } }),
  },
  'DELETE /api/music/{generationId}': {
    allowed: shared,
    request: ({ generationId }) => ({ params: { generationId } }),
  },
  'GET /api/scrapers/runs/{runId}': {
    allowed: shared,
    request: ({ batchRunId }) => ({ params: { runId: batchRunId } }),
  },
}
