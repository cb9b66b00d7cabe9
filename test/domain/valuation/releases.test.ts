import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogTotals, groupByRelease } from '../../../domain/valuation/releases.ts'

describe('the releases of a report', () => {
  it('group songs by album title, are sorted by streams, and include songs without an album', () => {
    const songs = [
      { album: 'Harbour', plays: 5 },
      { album: null, plays: 7 },
      { album: 'Anthem', plays: 12 },
      { album: 'Harbour', plays: null },
      { album: 'Harbour', plays: 7 },
      { album: null, plays: null },
      { album: 'harbour', plays: 0 },
      { album: 'Unheard', plays: null },
    ]
    expect(groupByRelease(songs)).toEqual([
      { title: 'Anthem', trackCount: 1, measuredCount: 1, streams: 12n },
      { title: 'Harbour', trackCount: 3, measuredCount: 2, streams: 12n },
      { title: null, trackCount: 2, measuredCount: 1, streams: 7n },
      { title: 'Unheard', trackCount: 1, measuredCount: 0, streams: 0n },
      { title: 'harbour', trackCount: 1, measuredCount: 1, streams: 0n },
    ])
  })

  it('contain every song once, for any order of songs', () => {
    const song = fc.record({
      album: fc.option(fc.constantFrom('A', 'B', 'C')),
      plays: fc.option(fc.integer({ min: 0, max: 10 ** 12 })),
    })
    fc.assert(
      fc.property(fc.array(song, { maxLength: 50 }), (songs) => {
        const releases = groupByRelease(songs)
        expect(groupByRelease(songs.toReversed())).toEqual(releases)
        const totals = catalogTotals(songs)
        expect(totals).toEqual({
          trackCount: songs.length,
          measuredCount: songs.filter(({ plays }) => plays !== null).length,
          streams: songs.reduce((sum, { plays }) => sum + BigInt(plays ?? 0), 0n),
        })
        expect(releases.reduce((sum, { streams }) => sum + streams, 0n)).toBe(totals.streams)
        expect(releases.reduce((sum, { trackCount }) => sum + trackCount, 0)).toBe(totals.trackCount)
        expect(new Set(releases.map(({ title }) => title)).size).toBe(releases.length)
      }),
    )
  })

  it('are exact beyond 2^53', () => {
    const songs = Array.from({ length: 10_000 }, () => ({ album: 'Everything', plays: 10 ** 12 - 1 }))
    expect(catalogTotals(songs).streams).toBe(9_999_999_999_990_000n)
  })
})
