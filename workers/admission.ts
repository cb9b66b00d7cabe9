import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import { ConfigError, localSettings, type Config } from '../config.ts'
import { readDeployment } from '../db/deployment.ts'
import { findMachineConflict } from '../db/operator/machines.ts'
import type { Pool } from '../db/postgres/client.ts'
import { claimTaskQueue } from '../engine/deployment.ts'
import { isEngineAway } from '../engine/status.ts'
import { waitUntilClear } from '../waiting.ts'

const answerMs = 5000

/** Waits for Temporal, and throws if another deployment has the task queue. */
export async function claimQueue(
  client: Client,
  taskQueue: string,
  { db, log }: { db: Pool; log: Logger },
): Promise<void> {
  const own = await readDeployment(db)
  await waitUntilClear(
    async () => {
      try {
        const refusal = await claimTaskQueue(client, { taskQueue, answerMs }, own)
        if (refusal !== undefined) throw new ConfigError(refusal)
        return undefined
      } catch (error) {
        if (!isEngineAway(error)) throw error
        return 'Temporal does not answer yet'
      }
    },
    (what) => log.warn(what),
  )
}

/** Throws if another live machine cannot see the files of this one. The process has reported itself before. */
export async function refuseLocalStores(
  db: Pool,
  { config, ...of }: { config: Config; machineId: string; processId: number },
): Promise<void> {
  const conflict = await findMachineConflict(db, { ...of, localSettings: localSettings(config, 'worker') })
  if (conflict !== undefined) throw new ConfigError(conflict)
}
