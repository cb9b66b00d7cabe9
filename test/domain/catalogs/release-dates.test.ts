import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { earliestRelease, releaseDay } from '../../../domain/catalogs/release-dates.ts'

describe('a release date', () => {
  it.each([
    ['2016-07-01', '2016-07-01'],
    ['2016-07', '2016-07-01'],
    ['2016', '2016-01-01'],
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', null],
    ['2023-13', null],
    ['2023-00-10', null],
    ['0000', null],
    ['1859-12-31', null],
    ['1860', '1860-01-01'],
    ['16', null],
    ['2016-7-1', null],
    ['2016-07-01T00:00:00Z', null],
    ['', null],
    [null, null],
  ])('%j is the day %j', (text, day) => expect(releaseDay(text)).toBe(day))

  it('is the earliest of several dates of any precision', () => {
    expect(earliestRelease(['2016-07-02', null, '2016-07', '2017', 'soon'])).toBe('2016-07-01')
    expect(earliestRelease([null, '0000'])).toBeNull()
    expect(earliestRelease([])).toBeNull()
  })

  it('is the earliest of several full dates', () => {
    const days = fc.date({ min: new Date('1860-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.array(days, { minLength: 1 }), (dates) => {
        const written = dates.map((date) => date.toISOString().slice(0, 10))
        expect(earliestRelease(written)).toBe([...written].sort()[0])
      }),
    )
  })
})
