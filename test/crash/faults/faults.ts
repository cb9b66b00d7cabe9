import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../../db/postgres/failures.ts'
import { waitFor } from '../../../dev/processes/processes.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { awaitEffect, findReportingProcess, type EffectKind } from './effect-watch.ts'
import { isWorker, type NodePartId, type PartId } from '../cluster/parts.ts'
import type { FaultProxy, ProxyCounts } from '../cluster/proxy.ts'
import type { Fault, ExternalRequest } from '../records/records.ts'

/** A run that a killed worker was executing. `nextSeq`: index of the first frame that this worker has not written. */
type InterruptedRun = { runId: string; nextSeq: number }

/** An injected fault. When the affected parts work again, `recovered` resolves and `fault` is complete. */
export type Injection = {
  fault: Fault
  interrupted: InterruptedRun[]
  /** Number of other workers that were ready at that time. */
  survivors?: number
  recovered: Promise<void>
}

const restartTimeoutMs = 120_000
const trafficTimeoutMs = 20_000
/** Heartbeat timeout of a turn's activities. */
const heartbeatTimeoutMs = 5000

/** Waits until all parts are ready again or were retired, and completes the fault. */
export const untilRecovered = async (cluster: Cluster, fault: Fault, parts: PartId[]): Promise<void> => {
  const hasRecovered = (part: PartId): boolean => !cluster.parts().includes(part) || cluster.isReady(part)
  const recovered = await waitFor(() => parts.every(hasRecovered), restartTimeoutMs)
  if (recovered === undefined) throw new Error(`${fault.kind}: ${parts.join(', ')} did not recover`)
  fault.until = Date.now()
}

/** Returns the id with which a process claims its work. */
const findProcessId = async (cluster: Cluster, part: NodePartId): Promise<number | undefined> => {
  const sessions = await cluster.backends(part)
  const lock = sessions.find(({ name }) => name.startsWith('backline lock'))
  return lock === undefined ? undefined : Number(lock.name.split(' ').at(-1))
}

const listRunIds = async (cluster: Cluster, part: PartId): Promise<string[]> => {
  const holder = isWorker(part) ? await findProcessId(cluster, part) : undefined
  if (holder === undefined) return []
  const rows = await cluster.db<{ runId: string }[]>`
    select run_id as "runId" from stream_head where holder = ${holder} and state = 'open'
    union select run_id from run_tool_calls where holder = ${holder} and ended_at is null`
  return rows.map(({ runId }) => runId)
}

export const listPositions = (cluster: Cluster, runIds: string[]): Promise<InterruptedRun[]> =>
  cluster.db<InterruptedRun[]>`
    select run_id as "runId", next_seq as "nextSeq" from stream_head where run_id = any(${runIds}::text[])`

const workTimeoutMs = 3000

/** Returns the ids of the runs that a part is executing. Waits until a worker executes one, up to a limit. */
export const awaitRunIds = async (cluster: Cluster, part: PartId): Promise<string[]> => {
  const find = async (): Promise<string[] | undefined> => {
    const runIds = await listRunIds(cluster, part).catch(() => [])
    return runIds.length > 0 ? runIds : undefined
  }
  return (await waitFor(find, isWorker(part) ? workTimeoutMs : 0)) ?? []
}

/** Kills Postgres with SIGQUIT, like `pg_ctl stop -m immediate`, and any other part with SIGKILL. The part is restarted. */
export const killPart = async (cluster: Cluster, kind: string, part: PartId): Promise<Injection> => {
  const running = await awaitRunIds(cluster, part)
  const survivors = cluster.workers().filter((other) => other !== part && cluster.isReady(other)).length
  const fault = await cluster.kill(part, part === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
  fault.kind = kind
  if (isWorker(part)) fault.evidence += `, executing ${running.length} runs, ${survivors} other workers alive`
  const interrupted = running.length === 0 ? [] : await listPositions(cluster, running).catch(() => [])
  return { fault, interrupted, survivors, recovered: untilRecovered(cluster, fault, [part]) }
}

/** Kills a part and delays its restart by `downMs`. */
export const killFor = async (cluster: Cluster, kind: string, part: PartId, downMs: number): Promise<Injection> => {
  cluster.hold(part)
  const release = (): void => cluster.release(part)
  try {
    const injection = await killPart(cluster, kind, part)
    injection.fault.evidence += `, restarted after ${downMs} ms`
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
  return { fault, interrupted: [], recovered: untilRecovered(cluster, fault, parts) }
}

/**
 * Kills a worker whose effect has just happened and is not reported yet. The database connections of all workers are
 * stalled when the effect happens, so that the report cannot arrive first. Returns undefined if it finds no such effect.
 */
export const killBeforeReport = async (
  cluster: Cluster,
  kind: string,
  requests: readonly ExternalRequest[],
  effect: EffectKind,
  timeoutMs: number,
  isFree: (part: NodePartId) => boolean,
): Promise<Injection | undefined> => {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    let stopped: { part: NodePartId; proxy: FaultProxy }[] = []
    const stall = (): void => {
      stopped = cluster
        .workers()
        .flatMap((part) => (isFree(part) ? [{ part, proxy: cluster.proxies(part).postgres }] : []))
      for (const { proxy } of stopped) proxy.stall()
    }
    try {
      const from = { db: cluster.db, sandboxRoots: cluster.sandboxRoots(), requests }
      const seen = await awaitEffect(from, effect, deadline - Date.now(), stall)
      if (seen === undefined) return undefined
      const holder = await findReportingProcess(cluster.db, seen)
      if (holder === undefined) continue
      const ids = await Promise.all(stopped.map(({ part }) => findProcessId(cluster, part)))
      const owner = stopped[ids.indexOf(holder)]?.part
      if (owner === undefined) continue
      const injection = await killPart(cluster, kind, owner)
      const description =
        'token' in seen ? `token ${seen.token} written` : `response of step ${seen.step} of ${seen.runId}`
      injection.fault.evidence = `${description}, not reported; ${injection.fault.evidence}`
      return injection
    } catch (error) {
      // Another fault may have made the database unavailable.
      if (!isDatabaseUnavailable(error)) throw error
    } finally {
      for (const { proxy } of stopped) proxy.heal()
    }
  }
  return undefined
}

/** Suspends a process until its heartbeats have timed out, and resumes it. The process is then unaware of its replacement. */
export const suspendPart = async (cluster: Cluster, kind: string, part: NodePartId, ms: number): Promise<Injection> => {
  const at = Date.now()
  const pid = await cluster.pause(part)
  const fault: Fault = { kind, target: part, at, observed: false, evidence: `process ${pid} is suspended` }
  const recover = async (): Promise<void> => {
    await sleep(ms)
    const isSameProcess = cluster.pid(part) === pid
    if (isSameProcess) cluster.resume(part)
    fault.until = Date.now()
    const suspendedMs = fault.until - at
    fault.observed = isSameProcess && suspendedMs > heartbeatTimeoutMs
    fault.evidence = `process ${pid} was suspended for ${suspendedMs} ms${isSameProcess ? '' : ' and has ended'}`
  }
  return { fault, interrupted: [], recovered: recover() }
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
  const victim = await waitFor(find, restartTimeoutMs)
  if (victim === undefined) throw new Error(`${part} has no session ${name}`)
  const at = Date.now()
  await cluster.db`select pg_terminate_backend(${victim.pid}::int)`
  const hasEnded = await waitFor(
    async () => (await cluster.db`select 1 from pg_stat_activity where pid = ${victim.pid}`).length === 0,
    10_000,
    5,
  )
  const evidence = `session ${victim.pid} (${victim.name}) of ${part} ${hasEnded ? 'has ended' : 'has not ended'}`
  const fault: Fault = { kind, target: part, at, observed: hasEnded === true, evidence }
  const recover = async (): Promise<void> => {
    if ((await waitFor(find, restartTimeoutMs)) === undefined)
      throw new Error(`${part} has not reopened the session ${name}`)
    fault.until = Date.now()
  }
  return { fault, interrupted: [], recovered: recover() }
}

export type Disturbance = {
  /** Starts the disturbance. May return the number of units that it affected immediately. */
  start: (proxy: FaultProxy) => number | void
  countAffected: (counts: ProxyCounts) => number
  unit: string
}

/** Disturbs a connection of a process for at least `ms`, until the disturbance has affected traffic. */
export const disturb = async (
  kind: string,
  part: NodePartId,
  proxy: FaultProxy,
  { start, countAffected, unit }: Disturbance,
  ms: number,
): Promise<Injection> => {
  await waitFor(() => proxy.connections().length > 0, trafficTimeoutMs)
  const at = Date.now()
  const affectedAtStart = start(proxy)
  const fault: Fault = { kind, target: part, at, observed: false, evidence: 'started' }
  const count = (): number => (typeof affectedAtStart === 'number' ? affectedAtStart : countAffected(proxy.counts()))
  const recover = async (): Promise<void> => {
    await sleep(ms)
    await waitFor(() => count() > 0, trafficTimeoutMs)
    const affected = count()
    proxy.heal()
    fault.until = Date.now()
    fault.observed = affected > 0
    fault.evidence = `${affected} ${unit} in ${fault.until - at} ms`
  }
  return { fault, interrupted: [], recovered: recover() }
}

/** Starts a new worker, then sends SIGTERM to the old one. */
export const deploy = async (cluster: Cluster, kind: string, part: NodePartId): Promise<Injection> => {
  const at = Date.now()
  const successor = await cluster.addWorker()
  const { pid, how } = await cluster.retire(part)
  const evidence = `${successor} takes tasks; process ${pid} of ${part} ended: ${how}`
  const fault: Fault = { kind, target: part, at, until: Date.now(), observed: how === 'exit code 0', evidence }
  return { fault, interrupted: [], recovered: Promise.resolve() }
}

/** Sends SIGTERM to a process, which is then started again. */
export const restart = async (cluster: Cluster, kind: string, part: NodePartId): Promise<Injection> => {
  const { pid, at, how } = await cluster.restart(part)
  const evidence = `process ${pid} of ${part} ended: ${how}`
  const fault: Fault = { kind, target: part, at, observed: how === 'exit code 0', evidence }
  return { fault, interrupted: [], recovered: untilRecovered(cluster, fault, [part]) }
}
