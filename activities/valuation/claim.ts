import { upsertRosterRow } from '../../db/artists/links.ts'
import { ensureProfileArtists, refreshProfileArtist } from '../../db/artists/profile-artists.ts'
import { claimSnapshot, findDominantArtist } from '../../db/catalogs/claim.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { streamingProfile } from '../../domain/artists/profiles.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { StreamingArtist } from '../../providers/streaming/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { ValuationDeps } from './deps.ts'
import { providerCall } from '../runtime/provider-call.ts'

type Claim = { snapshotId: string; accountId: string; ownerId: string; streamingArtistId: string }

export function createClaimActivities(deps: ValuationDeps) {
  return {
    /**
     * Stores the catalog of a finished measurement, then adds its artist to the roster of the paying account; if the roster
     * cannot be updated, the failure is only logged. Safe to run again: a snapshot has one catalog.
     */
    claimValuedCatalog: (claim: Claim): Promise<{ catalogId: string }> =>
      withHeartbeat(async () => {
        const { db, catalogs, log } = deps
        const { snapshotId, ownerId, streamingArtistId } = claim
        const artist = await findStreamingArtist(deps, streamingArtistId)
        const name = artist?.name.trim() || null
        const { catalog } = await db.begin((tx) => claimSnapshot(tx, { snapshotId, ownerId, name }))
        const profileUrl = streamingProfile(streamingArtistId, catalogs.profileHosts).url
        try {
          await db.begin((tx) => followArtist(tx, claim, { profileUrl, artist }))
        } catch (error) {
          log.warn({ err: error, snapshotId }, 'failed to add the artist of a valuation to the roster')
        }
        return { catalogId: catalog.id }
      }),
  }
}

/** Reads the artist from the streaming platform; undefined if the request fails. */
async function findStreamingArtist(
  { streaming, log }: ValuationDeps,
  streamingArtistId: string,
): Promise<StreamingArtist | undefined> {
  try {
    return await streaming.getArtist(streamingArtistId, providerCall())
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ err: error, streamingArtistId }, 'failed to read the artist of a valuation from the streaming platform')
    return undefined
  }
}

/**
 * Adds the artist of most songs to the roster, or the requested artist if no song has an artist. Then updates the data of the
 * requested artist.
 */
async function followArtist(
  tx: Tx,
  { snapshotId, accountId }: Claim,
  { profileUrl, artist }: { profileUrl: string; artist: StreamingArtist | undefined },
): Promise<void> {
  const name = artist?.name.trim() ?? ''
  const dominantArtist = await findDominantArtist(tx, snapshotId)
  const artistId = dominantArtist?.id ?? (await ensureProfileArtists(tx, [{ profileUrl, name }])).get(profileUrl)
  if (artistId !== undefined) await upsertRosterRow(tx, { accountId, artistId })
  if (artist === undefined) return
  const { imageUrl: image, followers } = artist
  await refreshProfileArtist(tx, { profileUrl, name, image, followers })
}
