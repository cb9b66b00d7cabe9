import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../../../dev/processes/processes.ts'
import { checkPromises } from '../check/index.ts'
import type { Sources } from '../records/collect.ts'
import type { OutsideWorld } from '../outside/outside.ts'
import type { ModelFault, Plan, Round } from '../outside/plan.ts'
import { sendBusy } from '../users/busy.ts'
import type { Queued, Started } from '../users/client.ts'
import { createRandom, type Random } from '../../world/random.ts'
import type { Fault, OutsideRequest, Records, Violation } from '../records/records.ts'
import { createScriptedUsers, type Sent, type ScriptedUsers, type UserChat } from '../users/scripted-users.ts'

/** What a stop may race with. */
export const raceKinds = [
  'finish',
  'tool',
  'retry',
  'worker',
  'start',
  'stop',
  'deletion',
  'queue',
  'interrupt',
  'steer',
] as const
type RaceKind = (typeof raceKinds)[number]

/** Where races take place. */
export type Arena = {
  apiUrls: () => string[]
  sources: Sources
  serverSecret: string
  outside: OutsideWorld
  /** Kills a worker that another one takes over from; without it nobody races with a dead worker. */
  killWorker?: () => Promise<Fault>
}

export type RaceOptions = {
  count: number
  seed: number
  arena: Arena
  /** Chats at a time. */
  parallel?: number
  kinds?: readonly RaceKind[]
  /** Told after every batch of races. */
  onBatch?: (report: RaceReport) => void
}

export type RaceReport = {
  seed: number
  races: number
  /** How the runs of each kind of race ended, by status. */
  outcomes: Record<RaceKind, Record<string, number>>
  /** From each stop to its acknowledgement. */
  stopMs: number[]
  violations: Violation[]
  /** What clients could make no sense of, and faults that nobody saw. */
  complaints: string[]
}

type Race = {
  users: ScriptedUsers
  chat: UserChat
  random: Random
  arena: Arena
  faults: Fault[]
  noteRun: (runId: string) => void
}

const batchSize = 200
const patienceMs = 60_000

const effect = (random: Random, token: string, longestMs: number): Round => ({
  words: random.between(0, 3),
  calls: [{ tool: 'effect', token, beforeMs: random.between(0, longestMs), afterMs: random.between(0, longestMs) }],
})

const passingFault = (random: Random): ModelFault =>
  random.pick<ModelFault>([
    { kind: 'status', status: 429, retryAfterSeconds: 1 },
    { kind: 'status', status: 500 },
    { kind: 'cut', words: random.between(0, 4) },
    { kind: 'garbage', words: random.between(0, 4) },
  ])

/** From 1 ms to the longest, every order of magnitude alike: machines differ in how fast they are. */
const moment = (random: Random, longestMs: number): number => Math.round(longestMs ** random.next())

/** Waits for a call of the model for this run. */
const awaitCall = async (
  { arena }: Race,
  runId: string,
  which: (request: OutsideRequest) => boolean = () => true,
): Promise<void> => {
  const found = await waitFor(
    () => arena.outside.requests.find((one) => one.idempotencyKey.startsWith(`${runId}:`) && which(one)),
    patienceMs,
    2,
  )
  if (found === undefined) throw new Error(`the model was not called for ${runId}`)
}

const isOver = ({ closedAt }: OutsideRequest): boolean => closedAt !== undefined

/** Sends a turn of which nobody can know what it will say. */
const beginSteered = async ({ users, chat, noteRun }: Race, rounds: Round[]): Promise<Sent & { runId: string }> => {
  const plan = users.planOf(rounds, 100)
  const started = await sendBusy(chat, plan, 'steer')
  if (typeof started === 'string' || !('runId' in started))
    throw new Error(`a turn did not begin: ${JSON.stringify(started)}`)
  noteRun(started.runId)
  return { idempotencyKey: '', plan, started, runId: started.runId, done: users.follow(chat, started) }
}

/** Sends the turn that is raced with. */
const begin = async (
  { users, chat, noteRun }: Race,
  rounds: Round[],
  wordsPerSecond: number,
): Promise<Sent & { runId: string }> => {
  const sent = await users.send(chat, users.planOf(rounds, wordsPerSecond))
  if (typeof sent.started === 'string') throw new Error(`a turn was refused: ${sent.started}`)
  const { runId } = sent.started
  noteRun(runId)
  return { ...sent, runId }
}

const stopAfter = async ({ chat }: Race, runId: string, ms: number): Promise<void> => {
  await sleep(ms)
  await chat.client.stop(chat.chatId, runId)
}

/**
 * A turn, behind it messages that wait, and among them one of the given kind, all while a stop may strike. What is held in
 * the end is resumed, so that every message has its turn.
 */
const raceWaiting = async (race: Race, onBusy: 'queue' | 'interrupt' | 'steer'): Promise<Sent & { runId: string }> => {
  const { users, chat, random } = race
  const rounds = [effect(random, `token-${users.nextName()}`, 300), { words: random.between(1, 30) }]
  // Who steers it may have it say something else.
  const sent = onBusy === 'steer' ? await beginSteered(race, rounds) : await begin(race, rounds, 100)
  const short = (): Plan => users.planOf([{ words: random.between(1, 6) }], 200)
  const waiting: (Started | Queued)[] = []
  const sendAll = async (): Promise<void> => {
    for (const kind of random.chance(0.5) ? (['queue', onBusy] as const) : ([onBusy, 'queue'] as const)) {
      await sleep(moment(random, 800))
      waiting.push(await sendBusy(chat, short(), kind))
    }
  }
  await Promise.all([sendAll(), random.chance(0.6) ? stopAfter(race, sent.runId, moment(random, 1500)) : undefined])
  await chat.client.untilEnded(sent.runId)
  await chat.client.resume(chat.chatId)
  for (const one of waiting) await users.follow(chat, one)
  return sent
}

/** One race of each kind: begins a turn, strikes at its moment, and answers with the run. */
const courses: Record<RaceKind, (race: Race) => Promise<Sent & { runId: string }>> = {
  finish: async (race) => {
    const { random } = race
    const sent = await begin(race, [{ words: random.between(1, 12) }], random.between(60, 300))
    await awaitCall(race, sent.runId, isOver)
    await stopAfter(race, sent.runId, moment(random, 2000))
    return sent
  },
  tool: async (race) => {
    const { random, users } = race
    const sent = await begin(race, [effect(random, `token-${users.nextName()}`, 200), { words: 5 }], 200)
    await awaitCall(race, sent.runId, isOver)
    await stopAfter(race, sent.runId, moment(random, 2500))
    return sent
  },
  retry: async (race) => {
    const { random } = race
    const sent = await begin(race, [{ words: 8, faults: [passingFault(random)] }], 100)
    await awaitCall(race, sent.runId, isOver)
    await stopAfter(race, sent.runId, moment(random, 4000))
    return sent
  },
  worker: async (race) => {
    const { random, users, arena, faults } = race
    const rounds = random.chance(0.5)
      ? [{ words: 60 }]
      : [effect(random, `token-${users.nextName()}`, 800), { words: 20 }]
    const sent = await begin(race, rounds, 40)
    await awaitCall(race, sent.runId)
    await sleep(random.between(0, 800))
    const killing = arena.killWorker?.().then((fault) => faults.push(fault))
    await stopAfter(race, sent.runId, moment(random, 5000))
    await killing
    return sent
  },
  start: async (race) => {
    const { random, chat } = race
    const early = random.chance(0.5) ? stopAfter(race, '', random.between(0, 30)) : Promise.resolve()
    const sent = await begin(race, [{ words: 8 }], 100)
    await early
    await sleep(moment(random, 1000))
    await chat.client.stop(chat.chatId, sent.runId)
    return sent
  },
  stop: async (race) => {
    const { random } = race
    const sent = await begin(race, [effect(random, `token-${race.users.nextName()}`, 100), { words: 30 }], 100)
    await Promise.all(Array.from({ length: 3 }, () => stopAfter(race, sent.runId, moment(random, 2000))))
    return sent
  },
  deletion: async (race) => {
    const { random, chat } = race
    const sent = await begin(race, [effect(random, `token-${race.users.nextName()}`, 100), { words: 30 }], 100)
    await sleep(moment(random, 2000))
    const remove = async (): Promise<void> => {
      await sleep(random.between(0, 50))
      await chat.client.deleteSession(chat.sessionId, chat.chatId)
    }
    // Whoever stops a chat that is gone is told so.
    const stop = stopAfter(race, sent.runId, random.between(0, 50)).catch(() => undefined)
    await Promise.all([stop, remove()])
    return sent
  },
  queue: (race) => raceWaiting(race, 'queue'),
  interrupt: (race) => raceWaiting(race, 'interrupt'),
  steer: (race) => raceWaiting(race, 'steer'),
}

const emptyReport = (seed: number): RaceReport => ({
  seed,
  races: 0,
  outcomes: {
    finish: {},
    tool: {},
    retry: {},
    worker: {},
    start: {},
    stop: {},
    deletion: {},
    queue: {},
    interrupt: {},
    steer: {},
  },
  stopMs: [],
  violations: [],
  complaints: [],
})

const count = (report: RaceReport, kindOf: ReadonlyMap<string, RaceKind>, { store, operations }: Records): void => {
  for (const { kind, status, askedAt, answeredAt } of operations)
    if (kind === 'stop' && status === 200 && answeredAt !== undefined) report.stopMs.push(answeredAt - askedAt)
  for (const { id, status } of store.runs) {
    const kind = kindOf.get(id)
    if (kind === undefined) continue
    const row = report.outcomes[kind]
    row[status] = (row[status] ?? 0) + 1
    report.races++
  }
}

const isGone = (text: string): boolean => / answered 404 /.test(text)

const runBatch = async (
  options: Required<Pick<RaceOptions, 'arena' | 'parallel'>>,
  kinds: RaceKind[],
  seed: number,
  report: RaceReport,
): Promise<void> => {
  const { arena, parallel } = options
  const random = createRandom(seed)
  const users = createScriptedUsers({ seed, random, ...arena })
  const kindOf = new Map<string, RaceKind>()
  const faults: Fault[] = []
  const deleted = new Set<string>()
  let next = 0
  const lane = async (): Promise<void> => {
    let chat = await users.openChat({ commands: true })
    for (let place = next++; place < kinds.length; place = next++) {
      const kind = kinds[place]!
      const ofRace = random.fork(`race ${place}`)
      const noteRun = (runId: string): void => void kindOf.set(runId, kind)
      const sent = await courses[kind]({ users, chat, random: ofRace, arena, faults, noteRun })
      await sent.done
      await chat.client.untilEnded(sent.runId)
      if (kind === 'deletion') {
        deleted.add(chat.client.name)
        chat = await users.openChat({ commands: true })
      } else if (ofRace.chance(0.3)) await chat.client.load(chat.sessionId, chat.chatId)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, kinds.length) }, lane))
    const records = await users.records(faults)
    count(report, kindOf, records)
    report.violations.push(...checkPromises(records))
    const expected = (text: string): boolean => isGone(text) && [...deleted].some((name) => text.startsWith(`${name}:`))
    report.complaints.push(...users.surprises.filter((text) => !expected(text)))
    for (const { kind, target, observed, evidence } of faults)
      if (!observed) report.complaints.push(`${kind} of ${target} was not observed: ${evidence}`)
  } finally {
    await users.close()
  }
}

/** Stops at seeded moments against everything that a stop can meet, many chats at a time, judged by the checker. */
export const runStopRaces = async (options: RaceOptions): Promise<RaceReport> => {
  const { count, seed, arena, parallel = 12, onBatch } = options
  const kinds = (options.kinds ?? raceKinds).filter((kind) => kind !== 'worker' || arena.killWorker !== undefined)
  const random = createRandom(seed)
  const report = emptyReport(seed)
  for (let done = 0; done < count; done += batchSize) {
    const batch = Array.from(
      { length: Math.min(batchSize, count - done) },
      (_, at) => kinds[(done + at) % kinds.length]!,
    )
    await runBatch({ arena, parallel }, batch, random.between(0, 2 ** 31), report)
    onBatch?.(report)
  }
  return report
}
