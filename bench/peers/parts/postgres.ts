import { join } from 'node:path'
import { freePort } from '../../../dev/stack/ports.ts'
import { startPostgres, type RunningPostgres } from '../../../dev/stack/postgres/server.ts'

/** Starts the embedded Postgres with the same durability settings as for Backline. */
export async function startPeerPostgres(folder: string): Promise<RunningPostgres> {
  return startPostgres({
    dataDir: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    port: await freePort(),
    password: 'bench',
  })
}
