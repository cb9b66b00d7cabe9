import type { WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announceProfile, listProfileRuns, recordProviderRun } from '../../db/scrapers/runs.ts'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { buildWith } from '../crash/cluster/builds.ts'
import { startWorkerInProcess } from '../crash/processes.ts'
import { createScrapersApi } from '../scrapers/scrapers-api.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const { makeArtistWith, readSpentCredits, start, untilEnded } = createScrapersApi(() => world)

const maxEvents = 40

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>

/** Returns the number of events of each history of a workflow, in the order of continuation. */
const listHistories = async (workflowId: string): Promise<number[]> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const lengths: number[] = []
    let runId: string | undefined = (await engine.client.workflow.getHandle(workflowId).describe()).runId
    while (runId) {
      const history: History = await engine.client.workflow.getHandle(workflowId, runId).fetchHistory()
      lengths.unshift(history.events?.length ?? 0)
      runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined
    }
    return lengths
  } finally {
    await engine.close()
  }
}

const listProviderRuns = () => world.db`
  select run_key, aborted_at is not null as is_aborted from embedded_scraper_runs order by created_at`

test('a batch that waits long for a slot continues as new, and a cancellation ends its provider runs', async () => {
  const WORKFLOW_BUNDLE = await buildWith(
    [
      { find: 'workflowInfo().continueAsNewSuggested', replace: `workflowInfo().historyLength > ${maxEvents}` },
      { find: 'isEnding || isDone(), ms', replace: 'isEnding || isDone(), Math.min(ms, 20)' },
    ],
    'provider-runs/waits.ts',
  )
  const worker = await startWorkerInProcess(world, { WORKFLOW_BUNDLE, SCRAPER_RUNS_OF_ACCOUNT: '1' })
  const payer = await world.makeAccount({ credits: 1000 })
  const artistId = await makeArtistWith(payer, { VIDEO: 'https://youtube.com/@hanging1', X: 'https://x.com/waits' })
  const { runId, runs } = await start(payer, artistId)
  const lengths = await eventually('four histories of the batch', async () => {
    const histories = await listHistories(runId).catch(() => [])
    return histories.length >= 4 ? histories : undefined
  })
  // A long history ends when its running activities have ended.
  for (const length of lengths) expect(length).toBeLessThan(maxEvents * 2)
  // The run of the first profile continues through all histories, while the second profile waits for its slot.
  const first = runs.find(({ platform }) => platform === 'VIDEO')?.runId
  expect(await listProviderRuns()).toEqual([{ runKey: first, isAborted: false }])
  expect((await world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key: payer.key })).status).toBe(200)
  await untilEnded(payer, runId)
  expect(await readSpentCredits(payer)).toBe(0)
  expect(await listProviderRuns()).toEqual([{ runKey: first, isAborted: true }])

  // An outdated attempt that arrives after the end starts no provider run.
  const slots = { all: 10, perAccount: 10 }
  for (const run of await listProfileRuns(world.db, runId)) {
    expect(await world.db.begin((tx) => announceProfile(tx, run, slots))).toBe('ended')
    expect(await recordProviderRun(world.db, run.runId, 'late')).toBe(false)
  }
  await worker.stop()
})
