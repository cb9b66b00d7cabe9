import { expect, test } from 'vitest'
import { pino } from 'pino'
import { createRedeliveryReports } from '../../workers/lost/redelivery.ts'

const attempt = { runId: 'run', activityId: '1', holder: 7 }

/** Creates redelivery reports on an engine with one activity, held by the worker of `state.holder`. */
const createFixture = () => {
  let time = 0
  const state = { holder: 'a lock 7', reported: 0 }
  const reports = createRedeliveryReports(
    {
      engine: {
        listHeldActivities: async (ids, isWorker) =>
          isWorker(state.holder) ? ids.map((workflowId) => ({ workflowId, activityId: '1', type: 'advanceTurn' })) : [],
        reportLostActivity: async () => void state.reported++,
      },
      log: pino({ level: 'silent' }),
    },
    () => time,
  )
  return { state, reports, advance: (ms: number) => void (time += ms) }
}

test('an activity that is assigned to its lost worker again is reported each time until another worker has it', async () => {
  const { state, reports, advance } = createFixture()
  reports.follow(attempt)
  for (let round = 0; round < 3; round++) {
    await reports.check()
    advance(4000)
  }
  expect(state.reported).toBe(3)
  state.holder = 'another lock 8'
  await reports.check()
  expect([state.reported, reports.isFollowing()]).toEqual([3, true])
  advance(4000)
  await reports.check()
  expect(reports.isFollowing()).toBe(false)
})

test('an activity of another worker is not reported', async () => {
  const { state, reports } = createFixture()
  state.holder = 'another lock 77'
  reports.follow(attempt)
  await reports.check()
  expect(state.reported).toBe(0)
})
