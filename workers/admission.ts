import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import { ConfigError, localSettings, type Config } from '../config.ts'
import { readDeployment } from '../db/deployment.ts'
import { findMachineConflict } from '../db/operator/machines.ts'
import type { Pool } from '../db/postgres/client.ts'
import { claimTaskQueue } from '../engine/deployment.ts'
import { isTemporalUnavailable } from '../engine/status.ts'
import { waitUntilReady } from '../waiting.ts'

const responseTimeoutMs = 5000

/** Waits for Temporal and claims the task queue. Throws `ConfigError` if another deployment uses the queue. */
export async function claimQueue(
  client: Client,
  taskQueue: string,
  { db, log }: { db: Pool; log: Logger },
): Promise<void> {
  const deployment = await readDeployment(db)
  await waitUntilReady(
    async () => {
      try {
        const mismatch = await claimTaskQueue(client, { taskQueue, timeoutMs: responseTimeoutMs }, deployment)
        if (mismatch !== undefined) throw new ConfigError(mismatch)
        return undefined
      } catch (error) {
        if (!isTemporalUnavailable(error)) throw error
        return 'Temporal does not respond yet'
      }
    },
    (problem) => log.warn(problem),
  )
}

/**
 * Throws `ConfigError` if another live machine cannot access the files of this machine. The report of this process must
 * already be stored.
 */
export async function refuseLocalStores(
  db: Pool,
  { config, ...identity }: { config: Config; machineId: string; processId: number },
): Promise<void> {
  const conflict = await findMachineConflict(db, { ...identity, localSettings: localSettings(config, 'worker') })
  if (conflict !== undefined) throw new ConfigError(conflict)
}
