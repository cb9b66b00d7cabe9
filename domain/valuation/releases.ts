/** A song of a catalog; `plays` is null if it was not measured. */
export type MeasuredSong = { album: string | null; plays: number | null }

/** The songs of one album title. */
export type ReleaseTotals = { title: string | null; trackCount: number; measuredCount: number; streams: bigint }

export type CatalogTotals = Omit<ReleaseTotals, 'title'>

const noSongs: CatalogTotals = { trackCount: 0, measuredCount: 0, streams: 0n }

/** Returns the totals of all songs. */
export function catalogTotals(songs: readonly MeasuredSong[]): CatalogTotals {
  return songs.reduce(addSong, noSongs)
}

/** Groups songs by album title, most streams first. Songs without a title form one release, last among equals. */
export function groupByRelease(songs: readonly MeasuredSong[]): ReleaseTotals[] {
  const releases = new Map<string | null, ReleaseTotals>()
  for (const song of songs)
    releases.set(song.album, addSong(releases.get(song.album) ?? { title: song.album, ...noSongs }, song))
  return [...releases.values()].sort(compareByStreams)
}

function addSong<Totals extends CatalogTotals>(totals: Totals, { plays }: MeasuredSong): Totals {
  return {
    ...totals,
    trackCount: totals.trackCount + 1,
    measuredCount: totals.measuredCount + (plays === null ? 0 : 1),
    streams: totals.streams + BigInt(plays ?? 0),
  }
}

function compareByStreams(a: ReleaseTotals, b: ReleaseTotals): number {
  if (a.streams !== b.streams) return a.streams > b.streams ? -1 : 1
  if (a.title === null || b.title === null) return a.title === b.title ? 0 : a.title === null ? 1 : -1
  return a.title < b.title ? -1 : 1
}
