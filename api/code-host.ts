import type { Logger } from 'pino'
import { bucketOptions, codeHostSettings, type Config } from '../config.ts'
import type { Pool } from '../db/postgres/client.ts'
import { createRepositoryLedger } from '../db/repositories/stored.ts'
import { openSharedObjects } from '../providers/blob/choose.ts'
import { createCodeHost, createGitServer } from '../providers/code-host/choose.ts'
import type { DiskSpace } from '../providers/disk-space.ts'

/** Opens the code host and, unless it is GitHub, the server for Git clients. */
export async function openCodeHost(
  { config, log }: { config: Config; log: Logger },
  { db, disk }: { db: Pool; disk: DiskSpace },
) {
  const choice = codeHostSettings(config)
  const objects = await openSharedObjects(bucketOptions(config))
  const parts = { disk, objects, ledger: createRepositoryLedger(db) }
  const maxBytes = config.GIT_PUSH_MEGABYTES * 1024 * 1024
  return { codeHost: await createCodeHost(choice, parts), git: createGitServer(choice, { ...parts, maxBytes, log }) }
}
