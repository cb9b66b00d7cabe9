import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { checkGuarantees } from '../check/index.ts'
import { collectRecords } from '../records/collect.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'
import { createRandom } from '../../world/random.ts'
import type { Operation, Records } from '../records/records.ts'
import { createSources } from '../records/sources.ts'
import { startWorkload } from './workload.ts'

const seed = 20_260

let services: ExternalServices
let world: World
beforeAll(async () => {
  services = await createExternalServices()
  world = await createWorld({ settings: { MODEL_BASE_URL: services.modelUrl, RATE_LIMIT_STARTS_PER_MINUTE: '0' } })
})
afterAll(async () => {
  await world.close()
  await services.close()
})

/** Runs a workload until `runs` runs were accepted, and then stops it. */
const runWorkload = async (users: number, runs: number, chosenSeed = seed) => {
  const workload = await startWorkload({
    random: createRandom(chosenSeed),
    apiUrls: () => [world.baseUrl],
    db: world.db,
    serverSecret: world.config.SERVER_SECRET ?? '',
    users,
  })
  await eventually(`${runs} accepted runs`, async () => workload.acknowledged() >= runs || undefined)
  return { workload, rest: await workload.stop() }
}

/** Collects records after all workflows have ended, because a head start ends its run before its workflow. */
const collect = (startedAt: number, workload: Pick<Records, 'operations' | 'readings'>): Promise<Records> =>
  eventually('the end of every workflow', async () => {
    const records = await collectRecords({
      seed,
      startedAt,
      workload,
      services,
      cluster: createSources(world),
      faults: [],
      samples: [],
    })
    return records.workflows.some(({ status }) => status === 'RUNNING') ? undefined : records
  })

/** Indexes the requests by key. */
const indexByKey = (operations: readonly Operation[]) =>
  new Map(
    operations
      .filter(({ kind }) => kind === 'send' || kind === 'headless' || kind === 'answer')
      .map(({ kind, idempotencyKey, userMessageId, effectTokens, expectedText }) => [
        idempotencyKey,
        { kind, userMessageId, effectTokens, expectedText },
      ]),
  )

let first: Operation[] = []

test('a workload without faults ends all its runs and produces complete records', async () => {
  const startedAt = Date.now()
  const { workload, rest } = await runWorkload(6, 14)
  expect(workload.unexpectedResponses).toEqual([])
  expect(rest.unsettled).toEqual([])
  expect(workload.ended()).toBe(workload.acknowledged())
  const records = await collect(startedAt, workload)
  const { operations, readings, store } = records
  first = operations
  const kinds = new Set(operations.map(({ kind }) => kind))
  for (const kind of ['send', 'repeat', 'headless', 'stop', 'load'] as const) expect(kinds).toContain(kind)

  const waited = store.queue.filter(({ state }) => state === 'accepted')
  const runIds = operations.filter(({ kind }) => kind !== 'stop').flatMap(({ runId }) => runId ?? [])
  const accepted = new Set([...runIds, ...waited.map(({ runId }) => runId ?? '')])
  expect(new Set(store.runs.map(({ id }) => id))).toEqual(accepted)
  expect(accepted.size).toBe(workload.acknowledged())
  expect(store.runs.filter(({ endedAt }) => endedAt === null)).toEqual([])
  expect(records.workflows.map(({ workflowId }) => workflowId).sort()).toEqual([...accepted].sort())
  // A stop may end a run before its workflow has begun. The workflow is then terminated.
  const cancelled = new Set(store.runs.filter(({ status }) => status === 'cancelled').map(({ id }) => id))
  const isEnded = ({ workflowId, status }: (typeof records.workflows)[number]): boolean =>
    status === 'COMPLETED' || (status === 'TERMINATED' && cancelled.has(workflowId))
  expect(records.workflows.filter((workflow) => !isEnded(workflow))).toEqual([])
  expect(records.workflows.some(({ largestPayload }) => largestPayload > 0)).toBe(true)
  expect(
    records.externalRequests.filter(({ idempotencyKey }) => !accepted.has(idempotencyKey.split(':')[0] ?? '')),
  ).toEqual([])

  for (const reading of readings.filter(({ end }) => end === 'done')) {
    const log = store.frames.filter(({ runId }) => runId === reading.runId)
    const expectedFrames = log
      .filter(({ seq }) => seq > (reading.after ?? -1))
      .map(({ seq, body }) => ({ index: seq, body }))
    expect(reading.frames.map(({ index, body }) => ({ index, body }))).toEqual(expectedFrames)
  }
  const wholeRuns = readings.filter(({ end, after }) => end === 'done' && after === undefined)
  expect(new Set(wholeRuns.map(({ runId }) => runId)).size).toBeGreaterThan(accepted.size / 3)

  const counts = new Map(records.effects.map(({ token, count }) => [token, count]))
  const deleted = operations.filter(({ kind }) => kind === 'delete').map(({ chatId }) => chatId)
  for (const { id, chatId, status } of store.runs) {
    const queueId = waited.find(({ runId }) => runId === id)?.id ?? 'none'
    const operation = operations.find(
      (candidate) => (candidate.runId === id || candidate.queueId === queueId) && candidate.effectTokens !== undefined,
    )
    expect(operation?.effectTokens).toBeDefined()
    if (status !== 'completed' || deleted.includes(chatId)) continue
    for (const token of operation?.effectTokens ?? []) expect([token, counts.get(token)]).toEqual([token, 1])
  }
  expect(checkGuarantees(records)).toEqual([])
})

test('the records since a time exclude older entries', async () => {
  const records = await collect(Date.now(), { operations: [], readings: [] })
  expect(records.store.runs).toEqual([])
  expect([records.externalRequests, records.effects, records.workflows]).toEqual([[], [], []])
})

test('the same seed produces the same requests, and another seed produces different requests', async () => {
  const { workload } = await runWorkload(3, 5)
  const [before, again] = [indexByKey(first), indexByKey(workload.operations)]
  const common = [...again.keys()].filter((key) => before.has(key))
  expect(common.length).toBeGreaterThan(3)
  for (const key of common) expect(again.get(key)).toEqual(before.get(key))
  const other = await runWorkload(2, 2, seed + 1)
  expect([...indexByKey(other.workload.operations).keys()].filter((key) => before.has(key))).toEqual([])
})
