import { describe, expect, it } from 'vitest'
import { addedSongs, mergeAddedSongs, removedSongs } from '../../../domain/catalogs/song-changes.ts'
import { mergeSongTexts, toSongResponse, songQuery, songSchema } from '../../../domain/catalogs/songs.ts'
import {
  toMeasurementResponse,
  measurementPage,
  measurementQuery,
  toScopeResponse,
} from '../../../domain/measurements/list.ts'

const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const at = new Date('2026-08-21T10:00:00.900Z')

describe('a song of a catalog', () => {
  it('prefers the name and album from the platform, and the lyrics from the catalog', () => {
    const platform = { name: 'Harbour', album: null, lyrics: 'of the platform' }
    const catalogTexts = { name: 'Mine', album: 'Own', lyrics: 'of mine' }
    expect(mergeSongTexts(platform, catalogTexts)).toEqual({ name: 'Harbour', album: 'Own', lyrics: 'of mine' })
    expect(mergeSongTexts(platform, { name: null, album: null, lyrics: null })).toEqual(platform)
  })

  it('is formatted as in the contract', () => {
    const artists = [
      { id, name: 'Nova Quartet', changedAt: at },
      { id, name: null, changedAt: null },
    ]
    const song = { catalogId: id, isrc: 'USABC2600001', name: null, album: null, lyrics: null, updatedAt: at, artists }
    expect(songSchema.parse(toSongResponse(song))).toEqual({
      catalog_id: id,
      isrc: 'USABC2600001',
      name: '',
      album: '',
      lyrics: '',
      updated_at: '2026-08-21T10:00:00.900Z',
      artists: [
        { id, name: 'Nova Quartet', timestamp: 1_787_306_400 },
        { id, name: null, timestamp: null },
      ],
    })
  })
})

describe('songs of a catalog', () => {
  it('are listed page by page', () => {
    expect(songQuery.parse({ catalog_id: id })).toEqual({ catalog_id: id, page: 1, limit: 20 })
    for (const wrong of [{ page: '0' }, { page: '1000001' }, { limit: '101' }, { catalog_id: 'x' }])
      expect(songQuery.safeParse({ catalog_id: id, ...wrong }).error?.issues[0]?.path).toEqual(Object.keys(wrong))
  })
})

describe('songs that are added', () => {
  const song = { catalog_id: id, isrc: 'us-abc-26-00001' }

  it.each([{}, { name: 'x'.repeat(300), album: 'x'.repeat(300), lyrics: 'x'.repeat(20_000) }])(
    'with %o are valid',
    (more) => {
      expect(addedSongs.safeParse({ songs: [{ ...song, ...more }] }).error).toBeUndefined()
    },
  )

  it.each([
    [{ isrc: 'US' }, 'isrc'],
    [{ catalog_id: 'x' }, 'catalog_id'],
    [{ name: 'x'.repeat(301) }, 'name'],
    [{ album: 'x'.repeat(301) }, 'album'],
    [{ lyrics: 'x'.repeat(20_001) }, 'lyrics'],
    [{ artists: Array.from({ length: 21 }, () => 'a') }, 'artists'],
    [{ artists: [' '] }, 'artists'],
    [{ artists: ['x'.repeat(201)] }, 'artists'],
  ])('with %o have the invalid field %s', (more, field) => {
    const parsed = addedSongs.safeParse({ songs: [{ ...song, ...more }] })
    expect(parsed.error?.issues[0]?.path[2]).toBe(field)
  })

  it('are limited to 1 to 500 per request', () => {
    for (const [length, isValid] of [
      [0, false],
      [500, true],
      [501, false],
    ] as const) {
      const songs = Array.from({ length }, () => song)
      expect(addedSongs.safeParse({ songs }).success).toBe(isValid)
      expect(removedSongs.safeParse({ songs }).success).toBe(isValid)
    }
  })

  it('are unique per catalog and code, with the last texts and each artist once', () => {
    const { songs } = addedSongs.parse({
      songs: [
        { ...song, name: 'First', lyrics: 'la', artists: ['Ada', 'Bo'] },
        { ...song, isrc: 'USABC2600002' },
        { ...song, isrc: 'USABC2600001', name: 'Last', artists: ['ADA', 'Cy'] },
      ],
    })
    expect(mergeAddedSongs(songs)).toEqual([
      { catalog_id: id, isrc: 'USABC2600001', name: 'Last', lyrics: 'la', artists: ['Ada', 'Bo', 'Cy'] },
      { catalog_id: id, isrc: 'USABC2600002' },
    ])
  })
})

describe('the measurements of a catalog', () => {
  const measured = { isrc: 'USABC2600001', title: 'Harbour', playCount: 10, measuredAt: at }
  const shown = { isrc: 'USABC2600001', title: 'Harbour', playcount: 10, measured_at: '2026-08-21T10:00:00.900Z' }

  it.each([
    [{}, {}],
    [{ before: 4 }, { plays_gained: 6 }],
    [{ before: 12 }, { plays_gained: -2 }],
    [{ before: null }, { plays_gained: null }],
  ])('with an earlier count of %j show %j', (before, gained) => {
    expect(toMeasurementResponse({ ...measured, ...before })).toEqual({ ...shown, ...gained })
  })

  it('are returned as a page with the totals of the whole scope, even beyond 2^53', () => {
    const scope = { artistId: null, measuredSongCount: 1, totalStreams: 2n ** 60n, ageYears: 5, valuation: null }
    const page = {
      status: 'success',
      measurements: [shown],
      pagination: { total_count: 1, page: 1, limit: 50, total_pages: 1 },
      ...toScopeResponse(scope),
    }
    expect(measurementPage.parse(page)).toEqual({
      ...page,
      measured_song_count: 1,
      total_streams: 2 ** 60,
      catalog_age_years: 5,
      valuation: null,
      artist_account_id: null,
    })
  })

  it('can be requested page by page, and since a time with any UTC offset', () => {
    expect(measurementQuery.parse({})).toEqual({ page: 1, limit: 50 })
    expect(measurementQuery.parse({ since: '2026-08-21T12:00:00+02:00' }).since).toEqual(
      new Date('2026-08-21T10:00:00Z'),
    )
    for (const since of ['yesterday', '2026-08-21', '2026-02-30T00:00:00Z'])
      expect(measurementQuery.safeParse({ since }).success).toBe(false)
  })
})
