import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  splitBatches,
  countedTracks,
  toFoundSongs,
  songMeasurements,
  listUnidentifiedTracks,
} from '../../../domain/measurements/capture.ts'
import type { ScrapedAlbum } from '../../../domain/measurements/scraped-albums.ts'

const album = (albumId: string, counts: Record<string, number | null>): ScrapedAlbum => ({
  albumId,
  name: null,
  tracks: Object.entries(counts).map(([trackId, playCount]) => ({
    trackId,
    name: trackId,
    playCount,
    durationMs: null,
  })),
})

const platformTrack = (trackId: string, isrc: string | null) => ({
  trackId,
  isrc,
  name: trackId,
  albumId: 'a',
  album: 'A',
  artworkUrl: null,
  artists: [],
})

describe('the tracks of a capture', () => {
  it('are those with a play count from 0 to 10^12, each once', () => {
    const counts = {
      none: null,
      negative: -1,
      fraction: 1.5,
      many: 10 ** 12 + 1,
      absurd: Infinity,
      unreal: NaN,
      zero: 0,
      most: 10 ** 12,
    }
    expect(countedTracks([album('a', counts), album('b', { none: 4, zero: 5 })])).toEqual([
      { trackId: 'zero', albumId: 'a', playCount: 0 },
      { trackId: 'most', albumId: 'a', playCount: 10 ** 12 },
      { trackId: 'none', albumId: 'b', playCount: 4 },
    ])
  })
})

describe('the songs of a capture', () => {
  const tracks = countedTracks([album('a', { t1: 10, t2: 20, t3: 30, t4: 40, t5: 50 })])
  const known = new Map([
    ['t1', 'QZAAA2600001'],
    ['t2', 'QZAAA2600002'],
  ])

  it('are looked up if no identifier is stored for them', () => {
    expect(listUnidentifiedTracks(tracks, known)).toEqual(['t3', 't4', 't5'])
  })

  it('have normalized ISRCs or are dropped', () => {
    const platformTracks = [
      platformTrack('t3', 'qz-aaa-26-00001'),
      platformTrack('t4', null),
      platformTrack('t5', 'not a code'),
    ]
    expect(toFoundSongs(platformTracks).map(({ trackId, isrc }) => [trackId, isrc])).toEqual([['t3', 'QZAAA2600001']])
  })

  it('are measured once: stored identifiers take precedence, and the first track of a recording counts', () => {
    const found = toFoundSongs([platformTrack('t3', 'QZAAA2600001'), platformTrack('t1', 'QZAAA2600009')])
    expect(songMeasurements(tracks, known, found)).toEqual([
      { isrc: 'QZAAA2600001', playCount: 10 },
      { isrc: 'QZAAA2600002', playCount: 20 },
    ])
  })

  it('are exactly the songs of the tracks, each once', () => {
    const trackId = fc.constantFrom('t1', 't2', 't3', 't4', 't5', 't6')
    const isrc = fc.constantFrom('QZAAA2600001', 'QZAAA2600002', 'QZAAA2600003')
    const counts = fc.dictionary(trackId, fc.option(fc.integer({ min: -2, max: 9 })))
    fc.assert(
      fc.property(
        fc.array(counts, { maxLength: 3 }),
        fc.dictionary(trackId, isrc),
        fc.dictionary(trackId, fc.option(isrc)),
        (albums, stored, platform) => {
          const counted = countedTracks(albums.map((each, index) => album(String(index), each)))
          const known = new Map(Object.entries(stored))
          const missing = listUnidentifiedTracks(counted, known)
          const found = toFoundSongs(missing.map((id) => platformTrack(id, platform[id] ?? null)))
          const measured = songMeasurements(counted, known, found)
          const named = counted.flatMap(({ trackId }) => known.get(trackId) ?? platform[trackId] ?? [])
          expect(measured.map(({ isrc }) => isrc)).toEqual([...new Set(named)])
          for (const { playCount } of measured) expect(playCount).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })
})

it('batches contain all items in order', () => {
  expect(splitBatches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(splitBatches([], 50)).toEqual([])
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (items, size) => {
      const batches = splitBatches(items, size)
      expect(batches.flat()).toEqual(items)
      for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(size)
      for (const batch of batches.slice(0, -1)) expect(batch).toHaveLength(size)
    }),
  )
})
