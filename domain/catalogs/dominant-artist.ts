/** How many of the measured songs are linked to an artist by the platform. */
export type ArtistLinks = { artistId: string; songCount: number }

/** The artist with the most links; of equals the one whose id comes first as text. Undefined without links. */
export function dominantArtist(links: readonly ArtistLinks[]): string | undefined {
  return links.reduce<ArtistLinks | undefined>((best, next) => {
    if (best === undefined || next.songCount > best.songCount) return next
    return next.songCount === best.songCount && next.artistId < best.artistId ? next : best
  }, undefined)?.artistId
}
