import { setTimeout as sleep } from 'node:timers/promises'
import { CommandRefusedError } from '../../../dev/say.ts'
import { waitFor } from '../../../dev/processes/processes.ts'
import type { Cluster } from '../cluster/cluster.ts'
import {
  deploy,
  disturb,
  dropSession,
  killAll,
  killBeforeReport,
  killFor,
  killPart,
  restart,
  suspendPart,
  type Disturbance,
  type Injection,
} from './faults.ts'
import { changeBuild, cutMachine, loseMachine, returnMachine, silenceStore } from './machines.ts'
import type { BuildOutput } from '../../../dev/commands/build.ts'
import type { NodePartId, PartId } from '../cluster/parts.ts'
import { shuffle, type Random } from '../../world/random.ts'
import type { ExternalRequest } from '../records/records.ts'

export const faultKinds = [
  'worker',
  'api',
  'postgres',
  'temporal',
  'all',
  'effect',
  'zombie',
  'listen',
  'lock',
  'slow-postgres',
  'cut-postgres',
  'stall-postgres',
  'cut-temporal',
  'stall-temporal',
  'bytewise',
  'deploy',
  'api-restart',
] as const

/** Faults of a cluster of several machines. */
export const fleetFaultKinds = ['machine', 'machine-cut', 'machine-returns', 'engine-member', 'store'] as const
export type FaultKind = (typeof faultKinds)[number] | (typeof fleetFaultKinds)[number]

/** Parses fault kinds that are separated by commas. Returns all kinds if there is no text. */
export const readKinds = (text: string | undefined, kinds: readonly FaultKind[]): FaultKind[] => {
  const names = text?.split(',') ?? [...kinds]
  const unknown = names.find((name) => !kinds.some((kind) => kind === name))
  if (unknown !== undefined)
    throw new CommandRefusedError(`There is no fault ${unknown}. The faults are ${kinds.join(', ')}.`)
  return names as FaultKind[]
}

export type NemesisOptions = {
  cluster: Cluster
  random: Random
  /** Requests that the external services have received. The list grows during the test. */
  requests: readonly ExternalRequest[]
  /** Maximum downtime of Temporal. */
  temporalDownMs: number
  /** Minimum downtime of Temporal. Default: none; most downtimes are then shorter than a second. */
  minTemporalDownMs?: number
  /** Downtime of Postgres. Default: none. */
  postgresDownMs?: number
  /** Parts whose processes are not killed. */
  spared?: () => PartId[]
  /** Two builds. A deploy restarts a process with the build that it does not run. */
  builds?: readonly [BuildOutput, BuildOutput]
}

/** Injects faults one after another. The seed determines their targets and durations. */
export type Nemesis = {
  /** Waits for a ready part without another fault. Resolves when the fault has been injected. */
  inject(kind: FaultKind): Promise<Injection>
}

const targetTimeoutMs = 120_000
const effectTimeoutMs = 30_000
const recoveryTimeoutMs = 5000
/** A worker is killed after a random delay up to this maximum, so that not every kill is at the start of its work. */
const maxKillDelayMs = 1000
/** Maximum time until a lost machine is replaced. A machine is considered lost after 15 seconds. */
const maxAwayMs = 25_000

const stalled: Disturbance = {
  start: (proxy) => proxy.stall(),
  countAffected: ({ withheld }) => withheld,
  unit: 'bytes withheld',
}
const cut: Disturbance = { start: (proxy) => proxy.cut(), countAffected: () => 0, unit: 'connections cut' }
const bytewise: Disturbance = {
  start: (proxy) => proxy.bytewise(),
  countAffected: ({ single }) => single,
  unit: 'single bytes',
}
const createDelay = (ms: number): Disturbance => ({
  start: (proxy) => proxy.slow(ms),
  countAffected: ({ delayed }) => delayed,
  unit: `chunks delayed by ${ms} ms`,
})

export const createNemesis = (options: NemesisOptions): Nemesis => {
  const {
    cluster,
    random,
    requests,
    temporalDownMs,
    minTemporalDownMs = 0,
    postgresDownMs = 0,
    spared = () => [],
    builds,
  } = options
  const busy = new Set<PartId>()
  const isFree = (part: PartId): boolean => !busy.has(part) && cluster.isReady(part)

  const isVictim = (part: PartId): boolean => isFree(part) && !spared().includes(part)

  const describeParts = async (parts: readonly PartId[]): Promise<string> => {
    const outputs = await Promise.all(
      cluster.parts().map(async (part) => `${part}:\n${(await cluster.output(part)).slice(-2000)}`),
    )
    return [`no part available among ${parts.join(', ')}`, ...outputs].join('\n\n')
  }

  /** Injects a fault into a chosen part and reserves the part until it has recovered. */
  const injectInto = async <P extends PartId>(
    among: () => P[],
    act: (part: P) => Promise<Injection>,
  ): Promise<Injection> => {
    const candidates = await waitFor(() => {
      const free = among().filter(isFree)
      return free.length > 0 ? free : undefined
    }, targetTimeoutMs)
    if (candidates === undefined) throw new Error(await describeParts(among()))
    const part = random.pick(candidates)
    busy.add(part)
    const release = (): boolean => busy.delete(part)
    try {
      const injection = await act(part)
      return { ...injection, recovered: injection.recovered.finally(release) }
    } catch (error) {
      release()
      throw error
    }
  }

  const onVictim = <P extends PartId>(among: () => P[], act: (part: P) => Promise<Injection>): Promise<Injection> =>
    injectInto(() => among().filter((part) => !spared().includes(part)), act)
  const onNode = (act: (part: NodePartId) => Promise<Injection>): Promise<Injection> =>
    injectInto(() => [...cluster.workers(), ...cluster.apis()], act)

  /** Injects a fault into a machine while another machine is ready, and reserves all its parts. */
  const onMachine = async (act: (machine: number) => Promise<Injection>): Promise<Injection> => {
    const { machines } = cluster
    const isUndisturbed = (machine: number): boolean => machines.parts(machine).every(isFree)
    const candidates = await waitFor(() => {
      const undisturbed = machines.list().filter(isUndisturbed)
      return undisturbed.length > 1 ? undisturbed : undefined
    }, targetTimeoutMs)
    if (candidates === undefined)
      throw new Error(await describeParts(machines.list().flatMap((machine) => machines.parts(machine))))
    const machine = random.pick(candidates)
    const parts = machines.parts(machine)
    for (const part of parts) busy.add(part)
    const release = (): void => {
      for (const part of parts) busy.delete(part)
    }
    try {
      const injection = await act(machine)
      return { ...injection, recovered: injection.recovered.finally(release) }
    } catch (error) {
      release()
      throw error
    }
  }

  const drawDownMs = (): number => {
    const isShort = minTemporalDownMs === 0 && random.chance(0.7)
    return random.between(minTemporalDownMs, isShort ? Math.min(1000, temporalDownMs) : temporalDownMs)
  }

  const injections: Record<FaultKind, (kind: FaultKind) => Promise<Injection>> = {
    worker: async (kind) => {
      // Usually waits until all workers are ready, but sometimes kills the last one.
      if (random.chance(0.75)) await waitFor(() => cluster.workers().every(isFree), recoveryTimeoutMs)
      const delayMs = random.between(0, maxKillDelayMs)
      return onVictim(cluster.workers, async (part) => {
        await sleep(delayMs)
        return killPart(cluster, kind, part)
      })
    },
    api: (kind) => onVictim(cluster.apis, (part) => killPart(cluster, kind, part)),
    postgres: (kind) =>
      injectInto(
        () => ['postgres'],
        (part) => killFor(cluster, kind, part, postgresDownMs),
      ),
    temporal: (kind) =>
      injectInto(
        () => ['temporal'],
        (part) => killFor(cluster, kind, part, drawDownMs()),
      ),
    all: async (kind) => {
      if (!(await waitFor(() => cluster.parts().every(isFree), targetTimeoutMs)))
        throw new Error('not every part has recovered')
      return killAll(cluster, kind)
    },
    effect: async (kind) => {
      for (const effect of shuffle(random, ['token', 'response'] as const)) {
        const injection = await killBeforeReport(cluster, kind, requests, effect, effectTimeoutMs, isVictim)
        if (injection !== undefined) return injection
      }
      const fault = {
        kind,
        target: 'worker',
        at: Date.now(),
        observed: false,
        evidence: 'no unreported effect was found',
      }
      return { fault, interrupted: [], recovered: Promise.resolve() }
    },
    zombie: (kind) =>
      injectInto(cluster.workers, (part) => suspendPart(cluster, kind, part, random.between(5500, 8000))),
    listen: (kind) => onNode((part) => dropSession(cluster, kind, part, 'backline listen')),
    lock: (kind) => injectInto(cluster.workers, (part) => dropSession(cluster, kind, part, 'backline lock')),
    'slow-postgres': (kind) =>
      onNode((part) =>
        disturb(
          kind,
          part,
          cluster.proxies(part).postgres,
          createDelay(random.between(20, 200)),
          random.between(2000, 5000),
        ),
      ),
    'cut-postgres': (kind) => onNode((part) => disturb(kind, part, cluster.proxies(part).postgres, cut, 500)),
    'stall-postgres': (kind) =>
      onNode((part) => disturb(kind, part, cluster.proxies(part).postgres, stalled, random.between(1000, 8000))),
    'cut-temporal': (kind) => onNode((part) => disturb(kind, part, cluster.proxies(part).temporal, cut, 500)),
    'stall-temporal': (kind) =>
      onNode((part) => disturb(kind, part, cluster.proxies(part).temporal, stalled, random.between(1000, 8000))),
    bytewise: (kind) =>
      onNode((part) => disturb(kind, part, cluster.proxies(part).postgres, bytewise, random.between(1000, 3000))),
    deploy: (kind) =>
      builds === undefined
        ? onVictim(cluster.workers, (part) => deploy(cluster, kind, part))
        : onNode((part) => changeBuild(cluster, kind, part, builds)),
    'api-restart': (kind) => onVictim(cluster.apis, (part) => restart(cluster, kind, part)),
    machine: (kind) => onMachine((machine) => loseMachine(cluster, kind, machine, random.between(0, maxAwayMs))),
    // Half of the cuts are so long that the machine is considered lost.
    'machine-cut': (kind) =>
      onMachine((machine) =>
        cutMachine(cluster, kind, machine, {
          manner: random.pick(['partitioned', 'frozen'] as const),
          ms: random.chance(0.5) ? random.between(2000, 8000) : random.between(18_000, 25_000),
        }),
      ),
    'machine-returns': (kind) => onMachine((machine) => returnMachine(cluster, kind, machine)),
    'engine-member': (kind) =>
      injectInto(
        () => cluster.parts().filter((part) => part.startsWith('temporal')),
        (part) => killFor(cluster, kind, part, drawDownMs()),
      ),
    store: (kind) =>
      injectInto(
        () => ['store'],
        (part) => {
          const ms = random.between(2000, 8000)
          return random.chance(0.5) ? killFor(cluster, kind, part, ms) : silenceStore(cluster, kind, ms)
        },
      ),
  }
  return { inject: (kind) => injections[kind](kind) }
}
