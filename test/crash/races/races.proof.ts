import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFullScale, scaled } from '../../cost/scale.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { checkGuarantees } from '../check/index.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'
import { startApiProcess, startWorkerInProcess, startWorkerProcess, type Part } from '../processes.ts'
import type { RaceEnvironment } from './race.ts'
import { raceKinds, runStopRaces } from './races.ts'
import { createRandom } from '../../world/random.ts'
import type { Fault } from '../records/records.ts'
import { createSources } from '../records/sources.ts'
import { sendBusy, type UserChat } from '../users/busy.ts'
import { createScriptedUsers, type ScriptedUsers } from '../users/scripted-users.ts'

const seed = 4711
/** Each kind of race twice, except `worker`, which runs once. */
const raceCount = scaled(2 * raceKinds.length - 1, 42)
const senderCount = scaled(20, 50)
const killCount = isFullScale ? 3 : 2

let services: ExternalServices
let world: World
beforeAll(async () => {
  services = await createExternalServices()
  world = await createWorld({
    worker: false,
    settings: { MODEL_BASE_URL: services.modelUrl, RATE_LIMIT_STARTS_PER_MINUTE: '0' },
  })
})
afterAll(async () => {
  await world.close()
  await services.close()
})

const createRaceEnvironment = (apiUrls: () => string[]): RaceEnvironment => ({
  apiUrls,
  sources: createSources(world),
  serverSecret: world.config.SERVER_SECRET ?? '',
  services,
})

/** Starts two workers. `kill` replaces a killed worker. */
const startWorkers = async (): Promise<{ kill: () => Promise<Fault>; stop(): Promise<void> }> => {
  const workers: Part[] = await Promise.all([startWorkerProcess(world), startWorkerProcess(world)])
  let killing: Promise<unknown> = Promise.resolve()
  const kill = async (): Promise<Fault> => {
    const doomed = workers.shift()!
    const at = Date.now()
    await doomed.kill()
    workers.push(await startWorkerProcess(world))
    const evidence = `process ${doomed.pid} was killed`
    return { kind: 'worker', target: `worker ${doomed.pid}`, at, until: Date.now(), observed: true, evidence }
  }
  return {
    kill: () => {
      const next = killing.then(kill)
      killing = next.catch(() => undefined)
      return next
    },
    stop: async () => {
      await killing
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

const untilCompleted = (chatId: string, turns: number): Promise<true> =>
  eventually(`${turns} completed turns`, async () => {
    const [row] = await world.db<{ count: number }[]>`
      select count(*)::int as count from runs where chat_id = ${chatId} and status = 'completed'`
    return row !== undefined && row.count >= turns ? true : undefined
  })

test(`a stop during any operation violates no guarantee (seed ${seed})`, async () => {
  const workers = await startWorkers()
  try {
    const environment = { ...createRaceEnvironment(() => [world.baseUrl]), killWorker: workers.kill }
    // A worker takes seconds to restart, so few races kill one.
    const others = raceKinds.filter((kind) => kind !== 'worker')
    const kinds = [...others, 'worker' as const, ...others, ...others]
    const report = await runStopRaces({ count: raceCount, seed, environment, parallel: 6, kinds })
    const violations = report.violations.map(({ guarantee, subject, text }) => `${guarantee} ${subject}: ${text}`)
    const faults = [...violations, ...report.anomalies]
    // The message shows the whole texts, which the assertion would truncate.
    expect(faults, faults.join('\n')).toEqual([])
    expect(report.races).toBe(raceCount)
    for (const kind of raceKinds) expect(Object.values(report.outcomes[kind]).length, kind).toBeGreaterThan(0)
  } finally {
    await workers.stop()
  }
})

test(`all messages of ${senderCount} parallel senders complete while workers are killed repeatedly (seed ${seed})`, async () => {
  const workers = await startWorkers()
  const environment = createRaceEnvironment(() => [world.baseUrl])
  const users = createScriptedUsers({ seed, random: createRandom(seed), ...environment })
  const faults: Fault[] = []
  try {
    const chat = await users.openChat({ commands: false })
    const sendTwo = async (device: UserChat): Promise<(string | undefined)[]> => {
      const sent = [
        await sendBusy(device, users.createPlan([{ words: 4 }]), 'queue'),
        await sendBusy(device, users.createPlan([{ words: 4 }]), 'queue'),
      ]
      return [await users.follow(device, sent[0]!), await users.follow(device, sent[1]!)]
    }
    const sending = Promise.all(users.openDevices(chat, senderCount).map(sendTwo))
    for (let kill = 0; kill < killCount; kill++) {
      await untilCompleted(chat.chatId, Math.floor((2 * senderCount * (kill + 1)) / (killCount + 2)))
      faults.push(await workers.kill())
    }
    const runs = (await sending).flat()
    expect(new Set(runs).size).toBe(2 * senderCount)
    expect(runs).not.toContain(undefined)
    const records = await users.records(faults)
    expect(records.store.runs.map(({ status }) => status)).toEqual(runs.map(() => 'completed'))
    expect(checkGuarantees(records)).toEqual([])
    expect(users.unexpectedResponses).toEqual([])
  } finally {
    await users.close()
    await workers.stop()
  }
})

/** Runs `act` with a worker and two APIs. Checks the guarantees and the number of runs. */
const runOnTwoApis = async (runs: number, act: (users: ScriptedUsers) => Promise<void>): Promise<void> => {
  const [worker, api] = await Promise.all([startWorkerInProcess(world), startApiProcess(world)])
  const environment = createRaceEnvironment(() => [world.baseUrl, api.baseUrl])
  const users = createScriptedUsers({ seed, random: createRandom(seed), ...environment })
  try {
    await act(users)
    const records = await users.records()
    expect(records.store.runs).toHaveLength(runs)
    expect(checkGuarantees(records)).toEqual([])
    expect(users.unexpectedResponses).toEqual([])
  } finally {
    await users.close()
    await Promise.all([worker, api].map((part) => part.stop()))
  }
}

test('fifty parallel requests with one idempotency key to two APIs start one run', () =>
  runOnTwoApis(1, async (users) => {
    const chat = await users.openChat({ commands: false })
    const plan = users.createPlan([{ words: 40 }], 40)
    const sent = await Promise.all(Array.from({ length: 50 }, () => users.send(chat, plan, 'the-same-key')))
    await Promise.all(sent.map(({ done }) => done))
    const runs = new Set(sent.map(({ started }) => (typeof started === 'string' ? started : started.runId)))
    expect([...runs]).toEqual([expect.stringMatching(/^wrun_/)])
  }))

test('of ten turns sent to one chat in parallel, one starts and nine are rejected', () =>
  runOnTwoApis(4, async (users) => {
    const chats = await Promise.all(Array.from({ length: 4 }, () => users.openChat({ commands: false })))
    for (const chat of chats) {
      const plans = Array.from({ length: 10 }, () => users.createPlan([{ words: 60 }], 30))
      const sent = await Promise.all(plans.map((plan) => users.send(chat, plan)))
      expect(sent.filter(({ started }) => started === 'busy')).toHaveLength(9)
      await Promise.all(sent.map(({ done }) => done))
    }
  }))
