import { describe, expect, it } from 'vitest'
import { shortestIntervalMinutes } from '../../../domain/tasks/cron/cadence.ts'
import { parseCron, type Cron } from '../../../domain/tasks/cron/parse.ts'
import { isZone } from '../../../domain/tasks/cron/zones.ts'

const requireCron = (text: string): Cron => {
  const cron = parseCron(text)
  if (cron === undefined) throw new Error(`${text} is not a cron expression`)
  return cron
}

describe('a cron expression', () => {
  it.each([
    ['* * * * *', 'minute', { isAny: true, isStep: false }],
    ['5 * * * *', 'minute', { values: [5], isAny: false }],
    ['05 * * * *', 'minute', { values: [5] }],
    ['1-5 * * * *', 'minute', { values: [1, 2, 3, 4, 5] }],
    ['5,1,3-4,1 * * * *', 'minute', { values: [1, 3, 4, 5], isStep: false }],
    ['*/20 * * * *', 'minute', { values: [0, 20, 40], isAny: false, isStep: true }],
    ['10-40/15 * * * *', 'minute', { values: [10, 25, 40], isStep: true }],
    ['50/5 * * * *', 'minute', { values: [50, 55], isStep: true }],
    ['*/100 * * * *', 'minute', { values: [0] }],
    ['*/30,7 * * * *', 'minute', { values: [0, 7, 30], isStep: false }],
    ['0 23 * * *', 'hour', { values: [23] }],
    ['0 0 31 * *', 'day', { values: [31] }],
    ['0 0 * 12 *', 'month', { values: [12] }],
    ['0 0 * * 7', 'weekday', { values: [0] }],
    ['0 0 * * 5-7', 'weekday', { values: [0, 5, 6] }],
    [' 0\t0  * * 0 ', 'weekday', { values: [0] }],
    ['0 0 29 2 *', 'day', { values: [29] }],
    ['0 0 31 2 1', 'day', { values: [31] }],
    ['0 0 31 2,3 *', 'month', { values: [2, 3] }],
  ] as const)('%j is accepted', (text, field, expected) => {
    expect(parseCron(text)?.[field]).toMatchObject(expected)
  })

  it.each([
    '',
    ' ',
    '*',
    '* * * *',
    '* * * * * *',
    '@daily',
    '@every 5m',
    'H * * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 32 * *',
    '0 0 * 0 *',
    '0 0 * 13 *',
    '0 0 * * 8',
    '0 0 * * MON',
    '0 0 * JAN *',
    '0 0 ? * *',
    '0 0 L * *',
    '0 0 15W * *',
    '0 0 * * 1#2',
    '*/0 * * * *',
    '5-1 * * * *',
    '0 0 * * 6-2',
    '-1 * * * *',
    '1.5 * * * *',
    '1e1 * * * *',
    '0x5 * * * *',
    '+5 * * * *',
    '005 * * * *',
    '1,,2 * * * *',
    ',1 * * * *',
    '1, * * * *',
    '*,5 * * * *',
    '** * * * *',
    '*/ * * * *',
    '*/5/2 * * * *',
    '1-2-3 * * * *',
    '٣ * * * *',
    'TZ=UTC 0 0 * * *',
    '0 0 30 2 *',
    '0 0 31 2,4,6,9,11 *',
  ])('%j is rejected', (text) => {
    expect(parseCron(text)).toBeUndefined()
  })
})

describe('a time zone', () => {
  it.each(['UTC', 'Etc/UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta', 'US/Eastern', 'Etc/GMT+5', 'EST5EDT'])(
    '%s is known',
    (name) => expect(isZone(name)).toBe(true),
  )
  it.each(['', 'utc', 'europe/berlin', 'Europe/Atlantis', '+01:00', 'UTC+1', 'Factory', 'Local', ' UTC'])(
    '%j is unknown',
    (name) => expect(isZone(name)).toBe(false),
  )
})

describe('the shortest interval', () => {
  it.each([
    ['0 9 * * 1', 10_080],
    ['0 9 * * *', 1440],
    ['0 9 * * 1,4', 4320],
    ['0 * * * *', 60],
    ['*/30 * * * *', 30],
    ['* * * * *', 1],
    ['0,59 0 * * *', 59],
    ['0 0,23 * * *', 60],
    ['0 0 1 * *', 40_320],
    ['0 0 1 * 1', 1440],
    ['0 0 1 1 *', 525_600],
    ['0 0 29 2 *', 576_000],
  ])('of %s is %i minutes', (text, minutes) => {
    expect(shortestIntervalMinutes(requireCron(text))).toBe(minutes)
  })
})
