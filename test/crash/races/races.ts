import { checkGuarantees } from '../check/index.ts'
import { createRandom } from '../../world/random.ts'
import type { Fault, Records, Violation } from '../records/records.ts'
import { createScriptedUsers } from '../users/scripted-users.ts'
import { contendedScenarios } from './contended-scenarios.ts'
import { stopScenarios } from './stop-scenarios.ts'
import type { RaceEnvironment, Scenario } from './race.ts'

const scenarios = { ...stopScenarios, ...contendedScenarios } satisfies Record<string, Scenario>
type RaceKind = keyof typeof scenarios

/** Operations that a stop may race with. */
export const raceKinds = Object.keys(scenarios) as RaceKind[]

export type RaceOptions = {
  count: number
  seed: number
  environment: RaceEnvironment
  /** Number of concurrent chats. */
  parallel?: number
  kinds?: readonly RaceKind[]
  /** Called after every batch of races. */
  onBatch?: (report: RaceReport) => void
}

export type RaceReport = {
  seed: number
  races: number
  /** Number of runs by kind of race and final status. */
  outcomes: Record<RaceKind, Record<string, number>>
  /** Milliseconds from each stop to its acknowledgement. */
  stopMs: number[]
  violations: Violation[]
  /** Responses that clients could not parse, and unobserved faults. */
  anomalies: string[]
}

const batchSize = 200

const createEmptyReport = (seed: number): RaceReport => ({
  seed,
  races: 0,
  outcomes: Object.fromEntries(raceKinds.map((kind) => [kind, {}])) as RaceReport['outcomes'],
  stopMs: [],
  violations: [],
  anomalies: [],
})

const countOutcomes = (
  report: RaceReport,
  kindOf: ReadonlyMap<string, RaceKind>,
  { store, operations }: Records,
): void => {
  for (const { kind, status, requestedAt, answeredAt } of operations)
    if (kind === 'stop' && status === 200 && answeredAt !== undefined) report.stopMs.push(answeredAt - requestedAt)
  for (const { id, status } of store.runs) {
    const kind = kindOf.get(id)
    if (kind === undefined) continue
    const row = report.outcomes[kind]
    row[status] = (row[status] ?? 0) + 1
    report.races++
  }
}

const isNotFound = (text: string): boolean => / responded 404 /.test(text)

const runBatch = async (
  options: Required<Pick<RaceOptions, 'environment' | 'parallel'>>,
  kinds: RaceKind[],
  seed: number,
  report: RaceReport,
): Promise<void> => {
  const { environment, parallel } = options
  const random = createRandom(seed)
  const users = createScriptedUsers({ seed, random, ...environment })
  const kindOf = new Map<string, RaceKind>()
  const faults: Fault[] = []
  const deleted = new Set<string>()
  let next = 0
  const runRacesInChat = async (): Promise<void> => {
    let chat = await users.openChat({ commands: true })
    for (let index = next++; index < kinds.length; index = next++) {
      const kind = kinds[index]!
      const raceRandom = random.fork(`race ${index}`)
      const recordRun = (runId: string): void => void kindOf.set(runId, kind)
      const sent = await scenarios[kind]({ users, chat, random: raceRandom, environment, faults, recordRun })
      await sent.done
      await chat.client.untilEnded(sent.runId)
      if (kind === 'deletion') {
        deleted.add(chat.client.name)
        chat = await users.openChat({ commands: true })
      } else if (raceRandom.chance(0.3)) await chat.client.load(chat.sessionId, chat.chatId)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, kinds.length) }, runRacesInChat))
    const records = await users.records(faults)
    countOutcomes(report, kindOf, records)
    report.violations.push(...checkGuarantees(records))
    const isExpected = (text: string): boolean =>
      isNotFound(text) && [...deleted].some((name) => text.startsWith(`${name}:`))
    report.anomalies.push(...users.unexpectedResponses.filter((text) => !isExpected(text)))
    for (const { kind, target, observed, evidence } of faults)
      if (!observed) report.anomalies.push(`${kind} of ${target} was not observed: ${evidence}`)
  } finally {
    await users.close()
  }
}

/** Stops runs at random times during every kind of operation, in many concurrent chats, and checks the guarantees. */
export const runStopRaces = async (options: RaceOptions): Promise<RaceReport> => {
  const { count, seed, environment, parallel = 12, onBatch } = options
  const kinds = (options.kinds ?? raceKinds).filter((kind) => kind !== 'worker' || environment.killWorker !== undefined)
  const random = createRandom(seed)
  const report = createEmptyReport(seed)
  for (let started = 0; started < count; started += batchSize) {
    const batch = Array.from(
      { length: Math.min(batchSize, count - started) },
      (_, index) => kinds[(started + index) % kinds.length]!,
    )
    await runBatch({ environment, parallel }, batch, random.between(0, 2 ** 31), report)
    onBatch?.(report)
  }
  return report
}
