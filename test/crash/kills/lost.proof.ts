import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkflowNotFoundError } from '@temporalio/client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectClient } from '../../../engine/connect.ts'
import type { Frame } from '../../../domain/log/frames.ts'
import { makePerson } from '../../world/people.ts'
import { eventually } from '../../world/world.ts'
import { buildWith } from '../cluster/builds.ts'
import { checkGuarantees } from '../check/index.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { listProcesses } from '../cluster/leftovers.ts'
import { listRepetitions } from '../repetitions.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'
import type { NodePartId } from '../cluster/parts.ts'
import { writePlan } from '../external-services/plan.ts'
import { createRandom } from '../../world/random.ts'
import { createScriptedUsers } from '../users/scripted-users.ts'

/** A heartbeat times out after five seconds, and may be up to two seconds old when its worker dies. */
const maxDowntimeMs = 2500

let services: ExternalServices
let cluster: Cluster
let folder: string
/** One connection for all checks, because opening one costs more than a check. */
let engine: Awaited<ReturnType<typeof connectClient>>
beforeAll(async () => {
  services = await createExternalServices()
  folder = await mkdtemp(join(tmpdir(), 'backline-lost-'))
  // Reduces the heartbeat timeout for the creation of a sandbox from ten seconds to one.
  const shortTimeout = { find: "heartbeatTimeout: '10s'", replace: "heartbeatTimeout: '1s'" }
  const built = { ...inject('built'), workflowBundle: await buildWith([shortTimeout]) }
  cluster = await startCluster({ workers: 2, apis: 1, folder, modelUrl: services.modelUrl, built })
  engine = await connectClient({ address: cluster.temporalAddress, namespace: cluster.namespace, tls: false })
})
afterAll(async () => {
  await engine.close()
  const leftovers = await cluster.close()
  await services.close()
  expect(leftovers).toEqual([])
  expect(listProcesses(folder)).toEqual([])
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})

/** Returns the worker that executes the run. */
const findWriter = async (runId: string): Promise<NodePartId | undefined> => {
  const [head] = await cluster.db<{ holder: number | null }[]>`
    select holder from stream_head where run_id = ${runId}`
  for (const part of cluster.workers()) {
    const sessions = await cluster.backends(part)
    if (sessions.some(({ name }) => name === `backline lock ${head?.holder}`)) return part
  }
  return undefined
}

const listRepetitionsOf = (runId: string): Promise<string[]> =>
  listRepetitions({ address: cluster.temporalAddress, namespace: cluster.namespace, tls: false }, runId)

/** Lists the workers that poll for tasks. */
const listPollers = async (): Promise<string[]> => {
  const { pollers } = await engine.connection.workflowService.describeTaskQueue({
    namespace: cluster.namespace,
    taskQueue: { name: 'agent' },
  })
  return (pollers ?? []).map(({ identity }) => identity ?? '')
}

/** Replaces all workers by an active worker and a standby. */
const replaceWorkers = async (): Promise<void> => {
  const before = cluster.workers()
  const group = { WORKER_GROUP: 'lost' }
  const first = await cluster.addWorker(undefined, group)
  const spare = await cluster.addWorker(undefined, group)
  for (const part of before) await cluster.retire(part)
  expect(await cluster.output(spare)).toContain('stands by')
  const pollers = await listPollers()
  expect(pollers.some((identity) => identity.startsWith(`${cluster.pid(first)}@`))).toBe(true)
  expect(pollers.some((identity) => identity.startsWith(`${cluster.pid(spare)}@`))).toBe(false)
}

test.each([
  { survivor: 'the other worker', alone: false, spare: false },
  { survivor: 'its spare', alone: false, spare: true },
  { survivor: 'the only worker, restarted,', alone: true, spare: false },
])(
  'after a worker is killed during a stream, $survivor continues the turn after a report, not after a timeout',
  async ({ alone, spare }) => {
    if (alone) for (const part of cluster.workers().slice(1)) await cluster.retire(part)
    if (spare) await replaceWorkers()
    await cluster.untilReady()
    const { serverSecret, apiUrls } = cluster
    const random = createRandom(1)
    const users = createScriptedUsers({
      seed: alone ? 1 : spare ? 3 : 2,
      random,
      apiUrls,
      sources: cluster,
      serverSecret,
      services,
    })
    const sent = await users.send(await users.openChat({ commands: false }), users.createPlan([{ words: 150 }], 40))
    if (typeof sent.started === 'string') throw new Error(`rejected: ${sent.started}`)
    const { runId } = sent.started
    const countReceived = (): number => Math.max(0, ...users.context.readings.map(({ frames }) => frames.length))
    await eventually('the first words', async () => (countReceived() >= 15 ? true : undefined))
    const writer = await eventually('the worker that writes', () => findWriter(runId))
    const fault = await cluster.kill(writer)
    expect(fault).toMatchObject({ observed: true, target: writer })
    await sent.done
    await cluster.untilReady()
    const downtimeMs = (fault.until ?? Infinity) - fault.at

    const records = await users.records([fault], cluster.samples)
    await users.close()
    expect(checkGuarantees(records)).toEqual([])
    expect(users.unexpectedResponses).toEqual([])
    expect(records.store.runs.map(({ id, status }) => ({ id, status }))).toEqual([{ id: runId, status: 'completed' }])
    const frames = records.store.frames.map(({ body }) => JSON.parse(body) as Frame)
    const retractions = frames.filter(({ type }) => type === 'data-retract').map((frame) => frame['data'])
    expect(retractions[0]).toMatchObject({ step: 0, attempt: 1, reason: 'worker_lost' })

    // After a longer downtime, the heartbeats time out before any process can report the death.
    if (alone && downtimeMs > maxDowntimeMs) return
    expect(retractions).toHaveLength(1)
    expect(await listRepetitionsOf(runId)).toEqual(['WorkerLost'])
    const outputs = await Promise.all(cluster.workers().map((part) => cluster.output(part)))
    const lines = outputs.flatMap((output) => output.split('\n'))
    const notices = lines.filter((line) => line.includes('a worker was lost; its activity is retried'))
    expect(notices.filter((line) => line.includes(runId))).toHaveLength(1)
  },
)

/** Returns the attempt of a running activity, or undefined if no worker executes it. */
const findRunningAttempt = async (runId: string, activity: string): Promise<number | undefined> => {
  try {
    const { raw } = await engine.client.workflow.getHandle(runId).describe()
    const pending = (raw.pendingActivities ?? []).find(({ activityType }) => activityType?.name === activity)
    return pending?.lastStartedTime === null || pending?.lastStartedTime === undefined
      ? undefined
      : (pending.attempt ?? 0)
  } catch (error) {
    // The workflow has not started yet.
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

const lossCount = 4

test('a background run continues even if several workers are lost while its sandbox is created', async () => {
  const [worker] = cluster.workers()
  if (worker === undefined) throw new Error('no worker is running')
  const { key } = await makePerson(cluster.db, cluster.serverSecret, { credits: 1_000_000 })
  const sendRequest = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${cluster.apiUrls()[0]}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(response.ok).toBe(true)
    return (await response.json()) as T
  }
  const plan = { id: 'headless', wordsPerSecond: 100, rounds: [{ words: 5 }] }
  // The delay of each database response extends the creation of the sandbox to seconds.
  cluster.proxies(worker).postgres.slow(200)
  const { runId } = await sendRequest<{ runId: string }>('POST', '/api/chat/runs', { prompt: writePlan(plan) })
  for (let lostWorkers = 1; lostWorkers <= lossCount; lostWorkers++) {
    const reached = async () => ((await findRunningAttempt(runId, 'provisionTurn')) ?? 0) >= lostWorkers || undefined
    await eventually(`attempt ${lostWorkers}`, reached)
    await cluster.kill(worker)
  }
  cluster.proxies(worker).postgres.heal()
  const ended = async () => {
    const { status } = await sendRequest<{ status: string }>('GET', `/api/chat/runs/${runId}`)
    return status === 'queued' || status === 'running' ? undefined : status
  }
  expect(await eventually('the end of the run', ended, 60_000)).toBe('completed')
})
