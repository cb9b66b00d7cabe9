import { describe, expect, it } from 'vitest'
import { toValuationResponse, valuationSchema } from '../../../domain/valuation/history.ts'
import { releasesToMeasure, reportReference, valuationRequest } from '../../../domain/valuation/request.ts'

describe('a valuation', () => {
  it('is returned with its inputs', () => {
    const measuredAt = new Date('2026-08-21T10:00:00.000Z')
    const band = { low: '278906.25', mid: '406087.50', high: '571200.00' }
    const response = toValuationResponse({ ...band, measuredSongCount: 12, totalStreams: 100_000_000n, measuredAt })
    expect(valuationSchema.parse(response)).toEqual({
      low: 278_906.25,
      mid: 406_087.5,
      high: 571_200,
      measured_song_count: 12,
      total_streams: 100_000_000,
      measured_at: '2026-08-21T10:00:00.000Z',
    })
    for (const wrong of [{ low: -1 }, { mid: Number.NaN }, { high: Infinity }, { total_streams: 1.5 }])
      expect(valuationSchema.safeParse({ ...response, ...wrong }).success).toBe(false)
  })

  it.each([
    ['0LcJLqbBmaGUft1e9Mm8HV', true],
    ['a', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['', false],
    ['a-b', false],
    ['a\n', false],
    [5, false],
    [undefined, false],
  ])('can be requested for the artist %j: %s', (streaming_artist_id, isValid) => {
    expect(valuationRequest.safeParse({ streaming_artist_id }).success).toBe(isValid)
  })

  it('measures each release once, in order, up to a limit', () => {
    expect(releasesToMeasure(['b', 'a', 'b', 'c', 'd'], 3)).toEqual(['b', 'a', 'c'])
    expect(releasesToMeasure([], 3)).toEqual([])
  })

  it('is reported once per snapshot', () => expect(reportReference('s1')).toBe('valuation-report:s1'))
})
