import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../../db/postgres/failures.ts'
import { waitFor } from '../../../dev/processes/processes.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { awaitEffect, findUnreported, type EffectKind } from './effect-watch.ts'
import { isWorker, type NodePartId, type PartId } from '../cluster/parts.ts'
import type { FaultProxy, ProxyCounts } from '../cluster/proxy.ts'
import type { Fault, OutsideRequest } from '../records/records.ts'

/** A run that a killed worker was executing, with the index of the first frame that this worker cannot have written. */
type Held = { runId: string; nextSeq: number }

/** A fault that has been injected. `over` resolves when the affected parts work again; only then `fault` is complete. */
export type Injection = {
  fault: Fault
  held: Held[]
  /** Number of other workers that took tasks at that moment. */
  survivors?: number
  over: Promise<void>
}

const restartMs = 120_000
const trafficMs = 20_000
/** After this, heartbeats of a turn's activities have timed out. */
const heartbeatMs = 5000

/** A part that was retired meanwhile worked before: a deploy picks no other. */
const untilWhole = async (cluster: Cluster, fault: Fault, parts: PartId[]): Promise<void> => {
  const isBack = (part: PartId): boolean => !cluster.parts().includes(part) || cluster.isWhole(part)
  const back = await waitFor(() => parts.every(isBack), restartMs)
  if (back === undefined) throw new Error(`${fault.kind}: ${parts.join(', ')} did not come back`)
  fault.until = Date.now()
}

/** Returns the id under which a process holds its work. */
const findProcessId = async (cluster: Cluster, part: NodePartId): Promise<number | undefined> => {
  const sessions = await cluster.backends(part)
  const lock = sessions.find(({ name }) => name.startsWith('backline lock'))
  return lock === undefined ? undefined : Number(lock.name.split(' ').at(-1))
}

const listHeld = async (cluster: Cluster, part: PartId): Promise<string[]> => {
  const holder = isWorker(part) ? await findProcessId(cluster, part) : undefined
  if (holder === undefined) return []
  const rows = await cluster.db<{ runId: string }[]>`
    select run_id as "runId" from stream_head where holder = ${holder} and state = 'open'
    union select run_id from run_tool_calls where holder = ${holder} and ended_at is null`
  return rows.map(({ runId }) => runId)
}

const listPositions = (cluster: Cluster, runIds: string[]): Promise<Held[]> =>
  cluster.db<Held[]>`
    select run_id as "runId", next_seq as "nextSeq" from stream_head where run_id = any(${runIds}::text[])`

const workMs = 3000

/** Returns the runs that a part is executing. For a worker it waits a while, because killing an idle one proves little. */
const awaitHeld = async (cluster: Cluster, part: PartId): Promise<string[]> => {
  const find = async (): Promise<string[] | undefined> => {
    const held = await listHeld(cluster, part).catch(() => [])
    return held.length > 0 ? held : undefined
  }
  return (await waitFor(find, isWorker(part) ? workMs : 0)) ?? []
}

/** Runs kill -9, or `pg_ctl stop -m immediate` for Postgres. The part is restarted immediately. */
export const killPart = async (cluster: Cluster, kind: string, part: PartId): Promise<Injection> => {
  const running = await awaitHeld(cluster, part)
  const survivors = cluster.workers().filter((other) => other !== part && cluster.isWhole(other)).length
  const fault = await cluster.kill(part, part === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
  fault.kind = kind
  if (isWorker(part)) fault.evidence += `, executing ${running.length} runs, ${survivors} other workers alive`
  const held = running.length === 0 ? [] : await listPositions(cluster, running).catch(() => [])
  return { fault, held, survivors, over: untilWhole(cluster, fault, [part]) }
}

/** Kills a part, which stays dead for a while. */
export const killFor = async (cluster: Cluster, kind: string, part: PartId, downMs: number): Promise<Injection> => {
  cluster.hold(part)
  const release = (): void => cluster.release(part)
  try {
    const injection = await killPart(cluster, kind, part)
    injection.fault.evidence += `, dead for ${downMs} ms`
    return injection
  } finally {
    setTimeout(release, downMs)
  }
}

export const killAll = async (cluster: Cluster, kind: string): Promise<Injection> => {
  const parts = cluster.parts()
  const at = Date.now()
  const faults = await Promise.all(parts.map((part) => cluster.kill(part, part === 'postgres' ? 'SIGQUIT' : 'SIGKILL')))
  const evidence = faults.map((fault) => fault.evidence).join('; ')
  const fault: Fault = { kind, target: 'everything', at, observed: faults.every(({ observed }) => observed), evidence }
  return { fault, held: [], over: untilWhole(cluster, fault, parts) }
}

/**
 * Kills a worker whose effect has just happened and is not yet reported: its database connections are stalled at the
 * moment of the effect, so that the report cannot arrive first. Returns undefined if no effect could be caught.
 */
export const killBetween = async (
  cluster: Cluster,
  kind: string,
  requests: readonly OutsideRequest[],
  effect: EffectKind,
  deadlineMs: number,
  isFree: (part: NodePartId) => boolean,
): Promise<Injection | undefined> => {
  const deadline = Date.now() + deadlineMs
  while (Date.now() < deadline) {
    let stopped: { part: NodePartId; way: FaultProxy }[] = []
    const stall = (): void => {
      stopped = cluster.workers().flatMap((part) => (isFree(part) ? [{ part, way: cluster.ways(part).postgres }] : []))
      for (const { way } of stopped) way.stall()
    }
    try {
      const from = { db: cluster.db, sandboxRoot: cluster.sandboxRoot, requests }
      const seen = await awaitEffect(from, effect, deadline - Date.now(), stall)
      if (seen === undefined) return undefined
      const holder = await findUnreported(cluster.db, seen)
      if (holder === undefined) continue
      const ids = await Promise.all(stopped.map(({ part }) => findProcessId(cluster, part)))
      const owner = stopped[ids.indexOf(holder)]?.part
      if (owner === undefined) continue
      const injection = await killPart(cluster, kind, owner)
      const what = 'token' in seen ? `token ${seen.token} left` : `step ${seen.step} of ${seen.runId} answered`
      injection.fault.evidence = `${what} and not reported; ${injection.fault.evidence}`
      return injection
    } catch (error) {
      // The database may be unavailable now.
      if (!isDatabaseUnavailable(error)) throw error
    } finally {
      for (const { way } of stopped) way.heal()
    }
  }
  return undefined
}

/** Suspends a process beyond its heartbeats and resumes it: a zombie that believes that it still holds its work. */
export const stopTime = async (cluster: Cluster, kind: string, part: NodePartId, ms: number): Promise<Injection> => {
  const at = Date.now()
  const pid = await cluster.pause(part)
  const fault: Fault = { kind, target: part, at, observed: false, evidence: `process ${pid} is suspended` }
  const over = async (): Promise<void> => {
    await sleep(ms)
    const same = cluster.pid(part) === pid
    if (same) cluster.resume(part)
    fault.until = Date.now()
    const stood = fault.until - at
    fault.observed = same && stood > heartbeatMs
    fault.evidence = `process ${pid} was suspended for ${stood} ms${same ? '' : ', and is gone'}`
  }
  return { fault, held: [], over: over() }
}

/** Ends one Postgres session of a process, which must open a new one. */
export const dropSession = async (
  cluster: Cluster,
  kind: string,
  part: NodePartId,
  name: string,
): Promise<Injection> => {
  const find = async () =>
    (await cluster.backends(part).catch(() => [])).find((session) => session.name.startsWith(name))
  const victim = await waitFor(find, restartMs)
  if (victim === undefined) throw new Error(`${part} has no session ${name}`)
  const at = Date.now()
  await cluster.db`select pg_terminate_backend(${victim.pid}::int)`
  const gone = await waitFor(
    async () => (await cluster.db`select 1 from pg_stat_activity where pid = ${victim.pid}`).length === 0,
    10_000,
    5,
  )
  const evidence = `session ${victim.pid} (${victim.name}) of ${part} ${gone ? 'is gone' : 'is still there'}`
  const fault: Fault = { kind, target: part, at, observed: gone === true, evidence }
  const over = async (): Promise<void> => {
    if ((await waitFor(find, restartMs)) === undefined) throw new Error(`${part} has no session ${name} any more`)
    fault.until = Date.now()
  }
  return { fault, held: [], over: over() }
}

export type Disturbance = {
  /** May return how many units it affected immediately. */
  start: (way: FaultProxy) => number | void
  saw: (counts: ProxyCounts) => number
  unit: string
}

/** Disturbs one connection of a process for a while, and longer if there was no traffic: then nothing was disturbed. */
export const disturb = async (
  kind: string,
  part: NodePartId,
  way: FaultProxy,
  { start, saw, unit }: Disturbance,
  ms: number,
): Promise<Injection> => {
  await waitFor(() => way.connections().length > 0, trafficMs)
  const at = Date.now()
  const done = start(way)
  const fault: Fault = { kind, target: part, at, observed: false, evidence: 'struck' }
  const count = (): number => (typeof done === 'number' ? done : saw(way.counts()))
  const over = async (): Promise<void> => {
    await sleep(ms)
    await waitFor(() => count() > 0, trafficMs)
    const seen = count()
    way.heal()
    fault.until = Date.now()
    fault.observed = seen > 0
    fault.evidence = `${seen} ${unit} in ${fault.until - at} ms`
  }
  return { fault, held: [], over: over() }
}

/** Starts a new worker, then sends SIGTERM to the old one. */
export const deploy = async (cluster: Cluster, kind: string, part: NodePartId): Promise<Injection> => {
  const at = Date.now()
  const successor = await cluster.addWorker()
  const { pid, how } = await cluster.retire(part)
  const evidence = `${successor} takes tasks; process ${pid} of ${part} ended: ${how}`
  const fault: Fault = { kind, target: part, at, until: Date.now(), observed: how === 'exit code 0', evidence }
  return { fault, held: [], over: Promise.resolve() }
}

/** Asks a process to exit; it is started again. */
export const restart = async (cluster: Cluster, kind: string, part: NodePartId): Promise<Injection> => {
  const { pid, at, how } = await cluster.restart(part)
  const evidence = `process ${pid} of ${part} ended: ${how}`
  const fault: Fault = { kind, target: part, at, observed: how === 'exit code 0', evidence }
  return { fault, held: [], over: untilWhole(cluster, fault, [part]) }
}
