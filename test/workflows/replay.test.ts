import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from '@temporalio/worker'
import { describe, expect, inject, test } from 'vitest'
import { createActivities, type ActivityDeps } from '../../activities/index.ts'
import * as workflows from '../../workflows/index.ts'
import { record, scenarios } from '../histories/recorder.ts'

const folder = fileURLToPath(new URL('../histories', import.meta.url))

// The recording precedes the tests below, so that one run records and checks a missing history.
describe.runIf(process.env['RECORD_HISTORIES'])('recording', () => {
  test.each(Object.keys(scenarios))('%s is recorded', (name) => record(folder, name))
})

type History = {
  events: {
    workflowExecutionStartedEventAttributes?: { workflowType: { name: string } }
    activityTaskScheduledEventAttributes?: { activityType: { name: string } }
  }[]
}
const readHistory = async (name: string): Promise<History> =>
  JSON.parse(await readFile(`${folder}/${name}.json`, 'utf8')) as History

const listNames = async (path: string): Promise<string[]> =>
  (await readdir(path)).filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length))

const scenarioNames = Object.keys(scenarios)

describe('recorded histories', () => {
  test('replay on the current workflows without errors', async () => {
    const workflowBundle = { codePath: inject('built').workflowBundle }
    const histories = await Promise.all(
      scenarioNames.map(async (name) => ({ workflowId: name, history: await readHistory(name) })),
    )
    const replayed: string[] = []
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
      expect(error, workflowId).toBeUndefined()
      replayed.push(workflowId)
    }
    expect(replayed.sort()).toEqual([...scenarioNames].sort())
  })

  test('exist for each scenario and for nothing else', async () => {
    expect((await listNames(folder)).sort()).toEqual(Object.keys(scenarios).sort())
  })

  test('exist for every workflow type', async () => {
    const histories = await Promise.all(Object.keys(scenarios).map(readHistory))
    const recorded = histories.map(
      ({ events }) => events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name ?? '',
    )
    expect([...new Set(recorded)].sort()).toEqual(Object.keys(workflows).sort())
  })

  test.each(['turn-plain', 'turn-retried', 'turn-tools', 'turn-step-limit'])(
    'of %s advance the turn in one activity, without a timer',
    async (name) => {
      const { events } = await readHistory(name)
      const activityTypes = events.flatMap(
        (event) => event.activityTaskScheduledEventAttributes?.activityType.name ?? [],
      )
      expect(activityTypes.filter((activity) => activity === 'advanceTurn')).toHaveLength(1)
      expect(events.filter((event) => 'timerStartedEventAttributes' in event)).toEqual([])
      if (activityTypes.length === 1) expect(events.length).toBeLessThanOrEqual(11)
    },
  )

  test('contain only activities that still exist', async () => {
    const histories = await Promise.all(scenarioNames.map(readHistory))
    const activityTypes = histories.flatMap(({ events }) =>
      events.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType.name ?? []),
    )
    const activityNames = Object.keys(createActivities({ db: {} } as ActivityDeps))
    expect([...new Set(activityTypes)].filter((name) => !activityNames.includes(name))).toEqual([])
  })

  test('contain only ids and no content', async () => {
    for (const name of scenarioNames) {
      const text = await readFile(`${folder}/${name}.json`, 'utf8')
      const payloads = [...text.matchAll(/"data": ?"([A-Za-z0-9+/=]+)"/g)].map(([, data]) =>
        Buffer.from(data ?? '', 'base64'),
      )
      for (const payload of payloads) {
        expect(payload.length).toBeLessThan(2048)
        expect(payload.toString()).not.toContain('recorded words')
      }
    }
  })
})
