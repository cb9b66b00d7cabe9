import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { firesAt, isRepeatedLocalTime, nextFires } from '../../domain/cron/fires.ts'
import { parseCron } from '../../domain/cron/parse.ts'
import type { Cron } from '../../domain/cron/parse.ts'
import { compileSchedule, scheduleIdOf } from '../../domain/tasks.ts'
import { connectClient } from '../../engine/connect.ts'
import { createSchedules } from '../../engine/schedules.ts'
import type { Schedules } from '../../engine/schedules.ts'

let engine: Awaited<ReturnType<typeof connectClient>>
let schedules: Schedules
beforeAll(async () => {
  engine = await connectClient({ address: inject('temporalAddress'), namespace: 'default', tls: false })
  schedules = createSchedules(engine.client, `test-${randomUUID()}`)
})
afterAll(() => engine.close())

const stamp = (date: Date) => ({ seconds: date.getTime() / 1000, nanos: 0 })

/** When the engine itself says that it fires. */
const engineTimes = async (cron: Cron, timezone: string, from: Date, until: Date): Promise<Date[]> => {
  const taskId = randomUUID()
  await schedules.ensureSchedule(taskId, compileSchedule(cron, timezone, from))
  try {
    const { startTime = [] } = (await engine.client.workflowService.listScheduleMatchingTimes({
      namespace: 'default',
      scheduleId: scheduleIdOf(taskId),
      startTime: stamp(from),
      endTime: stamp(until),
    })) as { startTime?: { seconds: unknown }[] }
    return startTime.map(({ seconds }) => new Date(Number(String(seconds)) * 1000))
  } finally {
    await schedules.removeSchedule(taskId)
  }
}

const crons = ['*/15 * * * *','*/15 */2 * * *','15 * * * *', '0,15,30,45 0-3 * * *', '15 2 * * *', '30 2 * * *','45 1 * * *', '0 0 * * *', '30 23 * * *', '0 3 * * *','0 12 * * *', '15 2 1 * 0', '15 2 * * 6', '10 2 15,25 * *']
const changes: [string, string][] = [
  ['Europe/Berlin','2026-03-29'],['Europe/Berlin','2026-10-25'],['America/New_York','2026-03-08'],['America/New_York','2026-11-01'],
  ['Australia/Lord_Howe','2026-04-05'],['Australia/Lord_Howe','2026-10-04'],
  ['America/Sao_Paulo','2017-10-15'],['America/Sao_Paulo','2018-02-18'],['Antarctica/Troll','2026-03-29'],['Antarctica/Troll','2026-10-25'],['Asia/Kathmandu','2026-03-29'],['Africa/Casablanca','2026-02-15'],['Africa/Cairo','2026-04-24'],['Africa/Cairo','2026-10-30'],['America/Santiago','2026-04-05'],['America/Santiago','2026-09-06'],['Asia/Pyongyang','2015-08-15'],['Asia/Pyongyang','2018-05-05'],
]
const iso = (dates: Date[]) => dates.map((d) => d.toISOString().slice(5,16)).join(' ')
describe('probe', () => {
  it('prints', async () => {
    for (const [zone, day] of changes) for (const text of crons) {
      const cron = parseCron(text)!
      const from = new Date(Date.parse(day) - 36*3600e3 - 60e3), until = new Date(Date.parse(day) + 60*3600e3)
      const theirs = await engineTimes(cron, zone, from, until)
      const ours = nextFires(cron, zone, from, 2000).filter(d => d < until)
      const kept = theirs.filter(d => !isRepeatedLocalTime(cron, zone, d) && d < until)
      const extra = kept.filter(k => !ours.some(o => +o === +k)), missing = ours.filter(o => !kept.some(k => +o === +k))
      const dup = kept.length - new Set(kept.map(Number)).size
      if (extra.length || missing.length || dup) console.log(zone, day, text, 'EXTRA', iso(extra), extra.map(e=>firesAt(cron,zone,e)).join(), 'MISSING', iso(missing), 'DUP', dup)
    }
    expect(1).toBe(1)
  }, 120000)
})
