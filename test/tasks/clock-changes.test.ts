import { randomUUID } from 'node:crypto'
import { optionalDateToTs, tsToDate } from '@temporalio/common/lib/time.js'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { isRepeatedLocalTime, nextFires } from '../../domain/cron/fires.ts'
import { parseCron } from '../../domain/cron/parse.ts'
import type { Cron } from '../../domain/cron/parse.ts'
import { compileSchedule, scheduleIdOf } from '../../domain/tasks.ts'
import { connectClient } from '../../engine/connect.ts'
import { createSchedules } from '../../engine/schedules.ts'
import type { Schedules } from '../../engine/schedules.ts'

const namespace = 'default'
let engine: Awaited<ReturnType<typeof connectClient>>
let schedules: Schedules
beforeAll(async () => {
  engine = await connectClient({ address: inject('temporalAddress'), namespace, tls: false })
  schedules = createSchedules(engine.client, `test-${randomUUID()}`)
})
afterAll(() => engine.close())

const hours = (count: number): number => count * 60 * 60 * 1000

/** When the engine says that a schedule fires. */
const engineTimes = async (cron: Cron, timezone: string, from: Date, until: Date): Promise<string[]> => {
  const taskId = randomUUID()
  await schedules.ensureSchedule(taskId, compileSchedule(cron, timezone, from))
  try {
    const { startTime } = await engine.client.workflowService.listScheduleMatchingTimes({
      namespace,
      scheduleId: scheduleIdOf(taskId),
      startTime: optionalDateToTs(from),
      endTime: optionalDateToTs(until),
    })
    return startTime.map((time) => tsToDate(time).toISOString())
  } finally {
    await schedules.removeSchedule(taskId)
  }
}

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
  'the engine fires in %s around %s at the times that upcoming shows, and at repeated ones that are skipped',
  async (timezone, day) => {
    const from = new Date(Date.parse(day) - hours(37))
    const until = new Date(Date.parse(day) + hours(48))
    const compared = await Promise.all(
      crons.map(async (text) => {
        const cron = parseCron(text)
        if (cron === undefined) throw new Error(`${text} is no cron`)
        const times = await engineTimes(cron, timezone, from, until)
        const ours = nextFires(cron, timezone, from, 1000).filter((fire) => fire <= until)
        return {
          text,
          engine: times.filter((time) => !isRepeatedLocalTime(cron, timezone, new Date(time))),
          ours: ours.map((fire) => fire.toISOString()),
        }
      }),
    )
    for (const { text, engine, ours } of compared) expect({ text, times: engine }).toEqual({ text, times: ours })
  },
  60_000,
)

it('the engine fires at both of two repeated times, so that the second one can be told as skipped', async () => {
  const cron = parseCron('30 2 * * *')
  if (cron === undefined) throw new Error('no cron')
  const [from, until] = [new Date('2026-10-24T12:00:00Z'), new Date('2026-10-25T12:00:00Z')]
  const times = await engineTimes(cron, 'Europe/Berlin', from, until)
  expect(times).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'])
  expect(times.map((time) => isRepeatedLocalTime(cron, 'Europe/Berlin', new Date(time)))).toEqual([false, true])
})
