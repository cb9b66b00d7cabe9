import type { Config } from '../../config.ts'
import { connect } from '../../db/postgres/client.ts'
import { findSingletonState } from '../../db/postgres/deaths.ts'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { waitFor, type Launched } from './processes.ts'

/** Resolves when the check passes. Stops the process and rejects if it exits first or the deadline passes. */
export async function awaitReady(
  launched: Launched,
  name: string,
  check: () => Promise<boolean>,
  deadlineMs = 90_000,
): Promise<Launched> {
  let ended: string | undefined
  void launched.exited.then((cause) => (ended = cause))
  const settled = await waitFor(async () => ended !== undefined || (await check()), deadlineMs, 50)
  if (settled && ended === undefined) return launched
  await launched.stop()
  throw new Error(`${name} is not ready: ${ended ?? `no response after ${deadlineMs / 1000} s`}`)
}

/** True if both health routes of the API report ready. */
export async function isApiReady(config: Config): Promise<boolean> {
  try {
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(localOrigin(config) + path, { signal: AbortSignal.timeout(2000) })
      await response.arrayBuffer()
      if (!response.ok) return false
    }
    return true
  } catch {
    return false
  }
}

/**
 * Resolves when a worker has asked the engine for tasks since now, or waits for its place, of which the database at
 * `placeUrl` knows.
 */
export async function awaitWorker(
  worker: Launched,
  config: Config,
  address: string,
  placeUrl?: string,
): Promise<Launched> {
  const since = Date.now()
  const db = placeUrl === undefined ? undefined : connect({ url: placeUrl, max: 1, name: 'backline start' })
  const engine = await connectClient(engineAddress(config, address))
  const request = { namespace: config.TEMPORAL_NAMESPACE, taskQueue: { name: config.TASK_QUEUE } }
  const isPolling = async (): Promise<boolean> => {
    try {
      const { pollers } = await engine.connection.withDeadline(Date.now() + 2000, () =>
        engine.connection.workflowService.describeTaskQueue(request),
      )
      return (pollers ?? []).some(
        ({ lastAccessTime: at }) => Number(at?.seconds ?? 0) * 1000 + (at?.nanos ?? 0) / 1e6 >= since,
      )
    } catch {
      return false
    }
  }
  const isThere = async (): Promise<boolean> => {
    if (db === undefined) return isPolling()
    const place = await findSingletonState(db, worker.pid).catch(() => undefined)
    return place === 'awaited' || (place === 'held' && isPolling())
  }
  try {
    return await awaitReady(worker, 'worker', isThere)
  } finally {
    await db?.end({ timeout: 1 })
    await engine.close()
  }
}

/** Returns the origin at which this machine reaches a port of the API or a worker. */
export function localOrigin({ listenHosts: [listened], PORT }: Config, port = PORT): string {
  const host = listened === '0.0.0.0' ? '127.0.0.1' : listened === '::' ? '::1' : listened
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
