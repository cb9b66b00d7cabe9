import type { Config } from '../../config.ts'
import { connect } from '../../db/postgres/client.ts'
import { findSingletonState } from '../../db/postgres/deaths.ts'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { waitFor, type LaunchedProcess } from './processes.ts'

/** Resolves when the check passes. Stops the process and rejects if it exits first or the deadline passes. */
export async function awaitReady(
  launched: LaunchedProcess,
  name: string,
  check: () => Promise<boolean>,
  timeoutMs = 90_000,
): Promise<LaunchedProcess> {
  let exitCause: string | undefined
  void launched.exited.then((cause) => (exitCause = cause))
  const isSettled = await waitFor(async () => exitCause !== undefined || (await check()), timeoutMs, 50)
  if (isSettled && exitCause === undefined) return launched
  await launched.stop()
  throw new Error(`${name} is not ready: ${exitCause ?? `no response after ${timeoutMs / 1000} s`}`)
}

/** Returns whether both health routes of the API report ready. */
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

/** Resolves when a worker polls Temporal for tasks, or waits for the lock of the active worker in the database at `lockUrl`. */
export async function awaitWorker(
  worker: LaunchedProcess,
  config: Config,
  address: string,
  lockUrl?: string,
): Promise<LaunchedProcess> {
  const since = Date.now()
  const db = lockUrl === undefined ? undefined : connect({ url: lockUrl, max: 1, name: 'backline start' })
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
  const isPollingOrWaiting = async (): Promise<boolean> => {
    if (db === undefined) return isPolling()
    const lockState = await findSingletonState(db, worker.pid).catch(() => undefined)
    return lockState === 'awaited' || (lockState === 'held' && isPolling())
  }
  try {
    return await awaitReady(worker, 'worker', isPollingOrWaiting)
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
