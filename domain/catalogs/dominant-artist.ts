/** Number of measured songs that the platform links to an artist. */
export type ArtistLinks = { artistId: string; songCount: number }

/** Returns the id of the artist with the most links; on a tie, the smallest id. Returns undefined if there are no links. */
export function findDominantArtistId(links: readonly ArtistLinks[]): string | undefined {
  return links.reduce<ArtistLinks | undefined>((best, next) => {
    if (best === undefined || next.songCount > best.songCount) return next
    return next.songCount === best.songCount && next.artistId < best.artistId ? next : best
  }, undefined)?.artistId
}
