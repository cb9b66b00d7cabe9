import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildOutput } from '../../../dev/commands/build.ts'
import { waitFor } from '../../../dev/processes/processes.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { End } from '../cluster/member.ts'
import type { NodePartId } from '../cluster/parts.ts'
import type { Fault } from '../records/records.ts'
import { awaitRunIds, listPositions, untilRecovered, type Injection } from './faults.ts'

/** Maximum time until the loss of a machine is recorded. */
const maxRecordMs = 60_000
/** Maximum time until other machines have taken over the sandboxes in use. */
const maxTakeOverMs = 15_000

const areKilled = (ends: End[]): boolean =>
  ends.length > 0 && ends.every(({ isGone, how }) => isGone && how === 'signal SIGKILL')

/** Kills the processes and sandboxes of a machine and removes its disk. After `downMs`, it returns with an empty disk. */
export const loseMachine = async (
  cluster: Cluster,
  kind: string,
  machine: number,
  downMs: number,
): Promise<Injection> => {
  const { machines } = cluster
  const running = await awaitRunIds(cluster, `worker-${machine}`)
  const sandboxes = await machines.countSandboxes(machine)
  const survivors = cluster.workers().filter((part) => part !== `worker-${machine}` && cluster.isReady(part)).length
  const at = Date.now()
  const ends = await machines.lose(machine)
  const fault: Fault = {
    kind,
    target: `machine-${machine}`,
    at,
    observed: areKilled(ends) && !existsSync(machines.dataDir(machine)),
    evidence: `${ends.length} processes killed, disk with ${sandboxes} sandboxes removed, executing ${running.length} runs, away for ${downMs} ms`,
  }
  const interrupted = running.length === 0 ? [] : await listPositions(cluster, running).catch(() => [])
  const recover = async (): Promise<void> => {
    await sleep(downMs)
    await machines.bringBack(machine)
    await untilRecovered(cluster, fault, machines.parts(machine))
  }
  return { fault, interrupted, survivors, recovered: recover() }
}

/**
 * Kills the processes and sandboxes of a machine. The machine returns with its old disk when its loss is recorded and other
 * machines have taken over sandboxes that are in use.
 */
export const returnMachine = async (cluster: Cluster, kind: string, machine: number): Promise<Injection> => {
  const { machines } = cluster
  const id = await machines.findId(machine)
  if (id === undefined) throw new Error(`machine ${machine} has no id`)
  const running = await awaitRunIds(cluster, `worker-${machine}`)
  const before = (await machines.findRecord(id)).places
  const at = Date.now()
  const ends = await machines.halt(machine)
  const fault: Fault = { kind, target: `machine-${machine}`, at, observed: false, evidence: 'halted' }
  const interrupted = running.length === 0 ? [] : await listPositions(cluster, running).catch(() => [])
  const recover = async (): Promise<void> => {
    const readRecord = () => machines.findRecord(id).catch(() => undefined)
    const isLost = await waitFor(async () => (await readRecord())?.isLost === true, maxRecordMs, 200)
    const isTakenOver = async () => ((await readRecord())?.places ?? before) < before
    if (before > 0) await waitFor(isTakenOver, maxTakeOverMs, 200)
    const after = (await readRecord())?.places ?? before
    await machines.bringBack(machine)
    await untilRecovered(cluster, fault, machines.parts(machine))
    fault.observed = areKilled(ends) && isLost === true
    fault.evidence = `returned with its disk after ${Date.now() - at} ms, ${before - after} of its ${before} sandboxes had moved`
  }
  return { fault, interrupted, recovered: recover() }
}

/**
 * `partitioned`: a machine has no connection to Postgres and Temporal, but its processes run, and other machines can connect
 * to them. `frozen`: in addition, all its processes and sandboxes are suspended, so that nothing reaches it.
 */
type CutManner = 'partitioned' | 'frozen'

/** Disconnects a machine for `ms`. Postgres and Temporal observe that its connections end, which releases its locks. */
export const cutMachine = async (
  cluster: Cluster,
  kind: string,
  machine: number,
  { manner, ms }: { manner: CutManner; ms: number },
): Promise<Injection> => {
  const { machines } = cluster
  const at = Date.now()
  const suspended = manner === 'frozen' ? await machines.freeze(machine) : 0
  const cut = machines.partition(machine)
  const fault: Fault = { kind, target: `machine-${machine}`, at, observed: false, evidence: manner }
  const recover = async (): Promise<void> => {
    await sleep(ms)
    const refused = machines.reconnect(machine)
    if (manner === 'frozen') machines.thaw(machine)
    await untilRecovered(cluster, fault, machines.parts(machine))
    fault.observed = cut > 0 && (manner === 'frozen' ? suspended > 1 : refused > 0)
    fault.evidence = `${manner} for ${ms} ms: ${cut} connections cut, ${refused} refused, ${suspended} processes suspended`
  }
  return { fault, interrupted: [], recovered: recover() }
}

/** Suspends the object store for `ms`, so that no request to it is answered. */
export const silenceStore = async (cluster: Cluster, kind: string, ms: number): Promise<Injection> => {
  const at = Date.now()
  const pid = await cluster.pause('store')
  const fault: Fault = { kind, target: 'store', at, observed: false, evidence: 'suspended' }
  const recover = async (): Promise<void> => {
    await sleep(ms)
    fault.observed = cluster.pid('store') === pid
    if (fault.observed) cluster.resume('store')
    fault.until = Date.now()
    fault.evidence = `process ${pid} was suspended for ${fault.until - at} ms`
  }
  return { fault, interrupted: [], recovered: recover() }
}

/** Restarts a process with the other of two builds. */
export const changeBuild = async (
  cluster: Cluster,
  kind: string,
  part: NodePartId,
  builds: readonly [BuildOutput, BuildOutput],
): Promise<Injection> => {
  const isSecond = cluster.builtOf(part) === builds[1]
  const { pid, at, how } = await cluster.deploy(part, builds[isSecond ? 0 : 1])
  const evidence = `process ${pid} of ${part} ended: ${how}; ${isSecond ? 'first' : 'second'} build`
  const fault: Fault = { kind, target: part, at, observed: how === 'exit code 0', evidence }
  return { fault, interrupted: [], recovered: untilRecovered(cluster, fault, [part]) }
}
