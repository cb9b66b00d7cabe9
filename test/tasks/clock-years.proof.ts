import { CronExpressionParser } from 'cron-parser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRepeatedLocalTime, nextFires } from '../../domain/tasks/cron/fires.ts'
import { parseCron } from '../../domain/tasks/cron/parse.ts'
import { scaled } from '../cost/scale.ts'
import { connectEngineTimes, type EngineTimes } from './engine-times.ts'

let engine: EngineTimes
beforeAll(async () => {
  engine = await connectEngineTimes()
})
afterAll(() => engine.close())

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Australia/Sydney',
  'Pacific/Auckland',
]

/** By default, only the leap year is tested. With `PROOF_SCALE=full`, all three years are. */
const years = [2028, 2026, 2027].slice(0, scaled(1, 3))

it.each(zones)('the engine, `upcoming` and cron-parser agree on all times in %s over whole years', async (timezone) => {
  for (const text of ['30 2 * * *', '15 0,1 13 * 0'])
    for (const year of years) {
      const cron = parseCron(text)
      if (cron === undefined) throw new Error(`${text} is not a cron expression`)
      const [from, until] = [new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1))]
      const upcoming = nextFires(cron, timezone, from, 1200).filter((fire) => fire <= until)
      const library = CronExpressionParser.parse(text, { tz: timezone, currentDate: from, endDate: until })
      const fires = upcoming.map((fire) => fire.toISOString())
      expect({ text, times: library.take(fires.length + 1).map((fire) => fire.toISOString()) }).toEqual({
        text,
        times: fires,
      })
      const engineFires = await engine.listTimes(cron, timezone, from, until)
      expect({
        text,
        times: engineFires.filter((time) => !isRepeatedLocalTime(cron, timezone, new Date(time))),
      }).toEqual({ text, times: fires })
    }
})
