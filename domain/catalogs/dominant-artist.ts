/** Number of measured songs that the platform links to an artist. */
export type ArtistLinks = { artistId: string; songCount: number }

/** The artist with the most links; among equals, the smallest id. Undefined without links. */
export function dominantArtist(links: readonly ArtistLinks[]): string | undefined {
  return links.reduce<ArtistLinks | undefined>((best, next) => {
    if (best === undefined || next.songCount > best.songCount) return next
    return next.songCount === best.songCount && next.artistId < best.artistId ? next : best
  }, undefined)?.artistId
}
