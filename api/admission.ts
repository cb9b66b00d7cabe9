import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import { ConfigError, localSettings, type Config } from '../config.ts'
import { readDeployment } from '../db/deployment.ts'
import { findMachineConflict } from '../db/operator/machines.ts'
import type { Pool } from '../db/postgres/client.ts'
import { claimTaskQueue } from '../engine/deployment.ts'
import { isTemporalUnavailable } from '../engine/status.ts'

const responseTimeoutMs = 1000

/**
 * Throws if another deployment uses the task queue. While Temporal is unavailable, the API starts without this check; the
 * workers, which execute the tasks, wait for Temporal.
 */
export async function claimQueue(
  client: Client,
  taskQueue: string,
  { db, log }: { db: Pool; log: Logger },
): Promise<void> {
  try {
    const refusal = await claimTaskQueue(client, { taskQueue, timeoutMs: responseTimeoutMs }, await readDeployment(db))
    if (refusal !== undefined) throw new ConfigError(refusal)
  } catch (error) {
    if (!isTemporalUnavailable(error)) throw error
    log.warn('Temporal does not respond yet; the deployment of its task queue is not checked')
  }
}

/**
 * Throws if another running machine does not share this machine's file stores. Call this after the process has registered.
 */
export async function requireSharedStores(
  db: Pool,
  { config, ...machine }: { config: Config; machineId: string; processId: number },
): Promise<void> {
  const conflict = await findMachineConflict(db, { ...machine, localSettings: localSettings(config, 'api') })
  if (conflict !== undefined) throw new ConfigError(conflict)
}
