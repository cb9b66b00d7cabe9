import { describe, expect, it } from 'vitest'
import { chooseBucket, explainInvalidPeriod, resolvePeriod } from '../../../domain/credits/usage-period.ts'

const now = new Date('2031-03-15T12:00:00.000Z')
const at = (text: string): Date => new Date(`2031-${text}T00:00:00.000Z`)

describe('the period of a usage query', () => {
  it('is the current UTC month by default', () => {
    expect(resolvePeriod({}, now)).toEqual({ from: at('03-01'), to: now })
  })

  it.each([
    [{}, undefined],
    [{ from: at('03-15') }, undefined],
    [{ from: at('03-16') }, 'must be before to'],
    [{ to: at('02-01') }, 'must be before to'],
    [{ from: at('02-01'), to: at('02-01') }, 'must be before to'],
    [{ from: new Date('2030-03-14T12:00:00.000Z') }, undefined],
    [{ from: new Date('2030-03-14T11:59:59.999Z') }, 'must be at most 366 days before to'],
  ])('with %j has the error %s', (input, error) => expect(explainInvalidPeriod(input, now)).toBe(error))

  it.each([
    ['03-13', '03-15', 'hour'],
    ['03-12', '03-15', 'day'],
    ['01-01', '04-01', 'day'],
    ['01-01', '04-02', 'week'],
  ])('of a query from %s to %s is grouped by %s', (from, to, bucket) =>
    expect(chooseBucket({ from: at(from), to: at(to) })).toBe(bucket),
  )
})
