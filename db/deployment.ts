import type { DeploymentMark } from '../domain/operator/deployment.ts'
import type { Db } from './postgres/client.ts'

/** Returns the identity of this database, unique among the databases of one Temporal namespace. */
export async function readDeployment(db: Db): Promise<DeploymentMark> {
  const [row] = await db<DeploymentMark[]>`
    select deployment.id, epoch, system_identifier || '/' || pg_database.oid as database
    from deployment, pg_control_system(), pg_database where datname = current_database()`
  if (row === undefined) throw new Error('the deployment table is empty')
  return row
}

/**
 * Increments the epoch, so that this database takes over the task queue of the database that it was copied from. Returns
 * the new epoch.
 */
export async function raiseEpoch(db: Db): Promise<number> {
  const [row] = await db<{ epoch: number }[]>`update deployment set epoch = epoch + 1 returning epoch`
  if (row === undefined) throw new Error('the deployment table is empty')
  return row.epoch
}
