import { describe, expect, it } from 'vitest'
import { toCalendars, toExcludedCalendars } from '../../../domain/tasks/cron/calendars.ts'
import { exactTimes } from '../../../domain/tasks/cron/exact-times.ts'
import { isRepeatedLocalTime, nextFires } from '../../../domain/tasks/cron/fires.ts'
import { parseCron, type Cron } from '../../../domain/tasks/cron/parse.ts'

const requireCron = (text: string): Cron => {
  const cron = parseCron(text)
  if (cron === undefined) throw new Error(`${text} is not a cron expression`)
  return cron
}

/** Lists the next fire times of an expression in a zone, to the minute. */
const listFires = (text: string, timezone: string, after: string, count: number): string[] =>
  nextFires(requireCron(text), timezone, new Date(after), count).map((fire) => fire.toISOString().slice(0, 16))

describe('the next fire times', () => {
  it.each([
    ['15 9 * * *', '2026-06-01T09:15:00Z', ['2026-06-02T09:15', '2026-06-03T09:15']],
    ['15 9 * * *', '2026-06-01T09:14:59.999Z', ['2026-06-01T09:15', '2026-06-02T09:15']],
    ['0 0 31 * *', '2026-01-31T00:00:00Z', ['2026-03-31T00:00', '2026-05-31T00:00']],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', ['2104-02-29T00:00', '2108-02-29T00:00']],
    ['0 0 13 * 5', '2026-02-11T00:00:00Z', ['2026-02-13T00:00', '2026-02-20T00:00']],
    ['0 0 1 * 1', '2026-05-30T00:00:00Z', ['2026-06-01T00:00', '2026-06-08T00:00']],
    // A step restricts the day. Sunday the 1st is an odd day, and the 2nd is a Monday.
    ['0 9 */2 * 1', '2026-11-01T00:00:00Z', ['2026-11-01T09:00', '2026-11-02T09:00']],
  ])('of %s after %s in UTC match the expression', (text, after, expected) => {
    expect(listFires(text, 'UTC', after, 2)).toEqual(expected)
  })

  it.each([
    [
      'move a skipped time by the gap on the same day',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T00:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:30'],
    ],
    [
      'include only the first occurrence of a repeated time',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'include both occurrences of a repeated time if every hour matches',
      '30 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30', '2026-10-25T01:30'],
    ],
    [
      'include both occurrences of a repeated time for a step of hours',
      '30 */2 * * *',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30', '2026-10-25T01:30'],
    ],
    [
      'include a repeated time once for a list of hours',
      '30 2,5 * * *',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30', '2026-10-25T04:30'],
    ],
    ['behind UTC', '30 2 * * *', 'America/New_York', '2026-03-07T00:00Z', ['2026-03-07T07:30', '2026-03-08T07:30']],
    [
      'match the expression in a zone behind UTC with a repeated time',
      '30 1 * * *',
      'America/New_York',
      '2026-11-01T00:00Z',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'match the expression if half an hour is repeated',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-04T00:00Z',
      ['2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'match the expression if half an hour is skipped',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T00:00Z',
      ['2026-10-02T15:45', '2026-10-03T15:45'],
    ],
    [
      'match the expression if a whole day is skipped',
      '0 12 * * *',
      'Pacific/Apia',
      '2011-12-29T00:00Z',
      ['2011-12-29T22:00', '2011-12-30T22:00'],
    ],
    [
      'match the expression if midnight is skipped',
      '0 0 * * *',
      'America/Sao_Paulo',
      '2017-10-14T00:00Z',
      ['2017-10-14T03:00', '2017-10-15T03:00'],
    ],
    [
      'match the expression if the hour before midnight is repeated',
      '30 23 * * *',
      'America/Sao_Paulo',
      '2018-02-17T12:00Z',
      ['2018-02-18T01:30', '2018-02-19T02:30'],
    ],
    [
      'match the expression if a day begins before the previous day ends again',
      '0 0 * * *',
      'America/St_Johns',
      '2010-11-06T12:00Z',
      ['2010-11-07T02:30', '2010-11-08T03:30'],
    ],
    [
      'match the expression for offsets of quarter hours',
      '0 9 * * *',
      'Asia/Kathmandu',
      '2026-01-01T00:00Z',
      ['2026-01-01T03:15', '2026-01-02T03:15'],
    ],
  ])('%s', (_, text, timezone, after, expected) => {
    expect(listFires(text, timezone, after, 2)).toEqual(expected)
  })

  it('are in order if the clock is set back across midnight', () => {
    const found = listFires('*/30 * * * *', 'America/St_Johns', '2010-11-07T02:00Z', 6)
    expect(found).toEqual([
      '2010-11-07T02:30',
      '2010-11-07T03:00',
      '2010-11-07T03:30',
      '2010-11-07T04:00',
      '2010-11-07T04:30',
      '2010-11-07T05:00',
    ])
  })
})

describe('a repeated local time', () => {
  it.each([
    ['30 2 * * *', '2026-10-25T00:30Z', false],
    ['30 2 * * *', '2026-10-25T01:30Z', true],
    ['30 2,9 * * *', '2026-10-25T01:30Z', true],
    ['30 * * * *', '2026-10-25T01:30Z', false],
    ['30 */2 * * *', '2026-10-25T01:30Z', false],
    ['30 2 * * *', '2026-10-26T01:30Z', false],
    ['30 2 * * *', '2026-03-30T00:30Z', false],
  ])('is detected for %s in Berlin at %s: %s', (text, at, expected) => {
    expect(isRepeatedLocalTime(requireCron(text), 'Europe/Berlin', new Date(at))).toBe(expected)
  })
})

/** Lists the times of 2026 that the calendars of the engine's specification cannot express, as individual times. */
const listExactTimes = (text: string, timezone: string): string[] =>
  exactTimes(requireCron(text), timezone, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)).map((time) =>
    new Date(time).toISOString().slice(0, 16),
  )

describe('the schedule specification for the engine', () => {
  it('contains every field of the expression', () => {
    expect(toCalendars(requireCron('*/15 9-17 * 1,7 *'))).toEqual([
      {
        second: 0,
        minute: [{ start: 0, end: 45, step: 15 }],
        hour: [{ start: 9, end: 17, step: 1 }],
        dayOfMonth: '*',
        month: ['JANUARY', 'JULY'],
        dayOfWeek: '*',
      },
    ])
  })

  it('has two calendars if both day and weekday are restricted', () => {
    const [byDay, byWeekday] = toCalendars(requireCron('0 0 1,2,5 * 1-5'))
    expect(byDay).toMatchObject({
      dayOfMonth: [1, 2, 5].map((day) => ({ start: day, end: day, step: 1 })),
      dayOfWeek: '*',
    })
    expect(byWeekday).toMatchObject({
      dayOfMonth: '*',
      dayOfWeek: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
    })
  })

  it('excludes times outside the expression, and a day only if neither day nor weekday matches', () => {
    expect(toExcludedCalendars(requireCron('* * * * *'))).toEqual([])
    expect(toExcludedCalendars(requireCron('* * 1-31 * 1'))).toEqual([])
    expect(toExcludedCalendars(requireCron('* 0-22 2-31 * 0-5'))).toEqual([
      {
        second: '*',
        minute: '*',
        hour: [{ start: 23, end: 23, step: 1 }],
        dayOfMonth: '*',
        month: '*',
        dayOfWeek: '*',
      },
      {
        second: '*',
        minute: '*',
        hour: '*',
        dayOfMonth: [{ start: 1, end: 1, step: 1 }],
        month: '*',
        dayOfWeek: ['SATURDAY'],
      },
    ])
  })

  it('does not exclude the local time to which a skipped time is moved', () => {
    const [, hours] = toExcludedCalendars(requireCron('30 2 * * *'), [Date.UTC(2026, 2, 29, 3, 30)])
    expect(hours?.hour).toEqual(
      [0, 1, ...Array.from({ length: 20 }, (_, hour) => hour + 4)].map((hour) => ({ start: hour, end: hour, step: 1 })),
    )
  })

  it('lists the individual times of days with a clock change, including repeated times', () => {
    expect(listExactTimes('30 2 * * *', 'UTC')).toEqual([])
    expect(listExactTimes('30 2 * * *', 'Europe/Berlin')).toEqual([
      '2026-03-29T01:30',
      '2026-10-25T00:30',
      '2026-10-25T01:30',
    ])
    expect(listExactTimes('0 9 * * *', 'Europe/Berlin')).toEqual(['2026-03-29T07:00', '2026-10-25T08:00'])
    expect(listExactTimes('0 9 * * 1', 'Europe/Berlin')).toEqual([])
  })
})
