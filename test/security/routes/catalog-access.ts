import {
  bySecretInUrl,
  inBody,
  inQuery,
  byAccountId,
  ownerOnly,
  anyAccount,
  ownerAndMembers,
  type RouteAccess,
  type Victim,
} from './sending.ts'

const byCatalog = ({ catalogId }: Victim) => ({ params: { catalogId } })
const bySong = ({ catalogId }: Victim) => ({ body: { songs: [{ catalog_id: catalogId, isrc: 'ZZAAA0000001' }] } })

/** Access rules of catalogs, measurements, valuations, music, videos and scrapes. */
export const catalogAccess: Record<string, RouteAccess> = {
  'GET /api/artists/{id}/profile': { allowed: ownerOnly, request: ({ artistId }) => ({ params: { id: artistId } }) },
  'GET /api/catalogs': { allowed: ownerAndMembers, request: inQuery() },
  'GET /api/accounts/{id}/catalogs': { allowed: ownerAndMembers, request: byAccountId },
  'POST /api/catalogs': { allowed: ownerOnly, request: ({ snapshotId }) => ({ body: { snapshot: snapshotId } }) },
  'GET /api/catalogs/{catalogId}': { allowed: ownerOnly, request: byCatalog },
  'PATCH /api/catalogs/{catalogId}': {
    allowed: ownerOnly,
    request: (victim) => ({ ...byCatalog(victim), body: { name: 'Private' } }),
  },
  'DELETE /api/catalogs/{catalogId}': { allowed: ownerOnly, request: byCatalog },
  'GET /api/catalogs/songs': { allowed: ownerOnly, request: ({ catalogId }) => ({ query: { catalog_id: catalogId } }) },
  'POST /api/catalogs/songs': { allowed: ownerOnly, request: bySong },
  'DELETE /api/catalogs/songs': { allowed: ownerOnly, request: bySong },
  'GET /api/catalogs/{catalogId}/measurements': { allowed: ownerOnly, request: byCatalog },
  'GET /api/catalogs/{catalogId}/valuations': { allowed: ownerOnly, request: byCatalog },
  'POST /api/valuation': { allowed: ownerAndMembers, request: inBody({ streaming_artist_id: 'releases1' }) },
  'POST /api/research/measurement-jobs': {
    allowed: ownerAndMembers,
    request: inBody({ scope: { album_ids: ['a001releases1'] }, source: 'current' }),
  },
  'GET /api/research/measurement-jobs': { allowed: ownerAndMembers, request: inQuery() },
  'GET /api/research/measurement-jobs/{id}': {
    allowed: ownerAndMembers,
    request: ({ snapshotId }) => ({ params: { id: snapshotId } }),
  },
  'GET /api/research/artists': { allowed: anyAccount, request: () => ({ query: { search: 'velvet' } }) },
  // The artist has no live-events profile.
  'POST /api/research/events': {
    allowed: ownerOnly,
    request: ({ artistId }) => ({ body: { artist_id: artistId } }),
    statusAfterCheck: 404,
  },

  'GET /api/artists/{id}/posts': { allowed: ownerOnly, request: ({ artistId }) => ({ params: { id: artistId } }) },
  'POST /api/artist/socials/scrape': {
    allowed: ownerOnly,
    request: ({ artistId }) => ({ body: { artist_account_id: artistId } }),
  },
  'POST /api/socials/{id}/scrape': {
    allowed: ownerOnly,
    request: ({ socialId }) => ({ params: { id: socialId }, body: {} }),
  },
  'POST /api/content-agent/{platform}': {
    allowed: bySecretInUrl,
    request: () => ({ params: { platform: 'teamchat' }, body: {} }),
  },
  'POST /api/content-agent/callback': { allowed: bySecretInUrl, request: () => ({ body: {} }) },
  'GET /api/content/templates': { allowed: anyAccount },
  'GET /api/content/videos': { allowed: ownerAndMembers, request: inQuery() },
  'GET /api/content/videos/{runId}': {
    allowed: ownerAndMembers,
    request: ({ videoRunId }) => ({ params: { runId: videoRunId } }),
  },
  'DELETE /api/content/videos/{runId}': {
    allowed: ownerAndMembers,
    request: ({ videoRunId }) => ({ params: { runId: videoRunId } }),
  },
  // No caller has a source repository, but the account and the artist are checked first.
  'POST /api/content/create': {
    allowed: ownerAndMembers,
    request: ({ account, artistId }) => ({ body: { account_id: account.id, artist_account_id: artistId } }),
    statusAfterCheck: 400,
  },
  'POST /api/music': { allowed: ownerAndMembers, request: inBody({ prompt: 'house', lyrics: 'la' }) },
  'GET /api/music': { allowed: ownerAndMembers, request: inQuery() },
  'GET /api/music/{generationId}': {
    allowed: ownerAndMembers,
    request: ({ generationId }) => ({ params: { generationId } }),
  },
  'DELETE /api/music/{generationId}': {
    allowed: ownerAndMembers,
    request: ({ generationId }) => ({ params: { generationId } }),
  },
  'GET /api/scrapers/runs/{runId}': {
    allowed: ownerAndMembers,
    request: ({ batchRunId }) => ({ params: { runId: batchRunId } }),
  },
}
