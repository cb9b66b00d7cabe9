import { CronExpressionParser } from 'cron-parser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRepeatedLocalTime, nextFires } from '../../domain/tasks/cron/fires.ts'
import { parseCron } from '../../domain/tasks/cron/parse.ts'
import { connectEngineTimes, type EngineTimes } from './engine-times.ts'

let engine: EngineTimes
beforeAll(async () => {
  engine = await connectEngineTimes()
})
afterAll(() => engine.close())

const hours = (count: number): number => count * 60 * 60 * 1000

const crons = [
  '*/15 * * * *',
  '*/15 */2 * * *',
  '0,15,30,45 0-3 * * *',
  '15 2 * * *',
  '45 1 * * *',
  '0 0 * * *',
  '30 23 * * *',
  '15 2 1 * 0',
  '15 2 * * 6',
]

it.each([
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Antarctica/Troll', '2026-10-25'],
  ['America/Sao_Paulo', '2017-10-15'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['Africa/Cairo', '2026-10-30'],
  ['Asia/Pyongyang', '2015-08-15'],
])(
  'the engine fires in %s around %s at the times in `upcoming` and at repeated times, which are skipped',
  async (timezone, day) => {
    const from = new Date(Date.parse(day) - hours(37))
    const until = new Date(Date.parse(day) + hours(48))
    const compared = await Promise.all(
      crons.map(async (text) => {
        const cron = parseCron(text)
        if (cron === undefined) throw new Error(`${text} is not a cron expression`)
        const times = await engine.listTimes(cron, timezone, from, until)
        const upcoming = nextFires(cron, timezone, from, 400).filter((fire) => fire <= until)
        return {
          text,
          engineTimes: times.filter((time) => !isRepeatedLocalTime(cron, timezone, new Date(time))),
          upcomingTimes: upcoming.map((fire) => fire.toISOString()),
        }
      }),
    )
    for (const { text, engineTimes, upcomingTimes } of compared)
      expect({ text, times: engineTimes }).toEqual({ text, times: upcomingTimes })
  },
  60_000,
)

it('the engine fires at both times when a local time repeats, and the second time is recognized as repeated', async () => {
  const cron = parseCron('30 2 * * *')
  if (cron === undefined) throw new Error('not a cron expression')
  const [from, until] = [new Date('2026-10-24T12:00:00Z'), new Date('2026-10-25T12:00:00Z')]
  const times = await engine.listTimes(cron, 'Europe/Berlin', from, until)
  expect(times).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'])
  expect(times.map((time) => isRepeatedLocalTime(cron, 'Europe/Berlin', new Date(time)))).toEqual([false, true])
})

it('a clock change of half an hour skips no day, unlike with the library cron-parser', () => {
  const cron = parseCron('15 2 * * *')
  if (cron === undefined) throw new Error('not a cron expression')
  const [timezone, from] = ['Australia/Lord_Howe', new Date('2026-10-02T16:00:00Z')]
  expect(nextFires(cron, timezone, from, 1)).toEqual([new Date('2026-10-03T15:45:00Z')])
  const library = CronExpressionParser.parse('15 2 * * *', { tz: timezone, currentDate: from })
  expect(library.next().toISOString()).toBe('2026-10-04T15:15:00.000Z')
})
