import { bucketOptions, type Config } from '../../../config.ts'
import type { Pool } from '../../../db/postgres/client.ts'
import { createRepositoryLedger } from '../../../db/repositories/stored.ts'
import { openSharedObjects } from '../../../providers/blob/choose.ts'
import type { RepositoryName } from '../../../providers/code-host/index.ts'
import { openStore } from '../../../providers/code-host/store/open.ts'
import { publish } from '../../../providers/code-host/store/publish.ts'

/**
 * Runs `work` in the bare repository of the API, without the API's checks. With a repository store, `work` runs in a copy,
 * whose changes are then stored.
 */
export const inBareRepository = async <T>(
  { config, db }: { config: Config; db: Pool },
  repository: RepositoryName,
  work: (directory: string) => Promise<T>,
): Promise<T> => {
  const { owner, name } = repository
  const objects = config.CODE_HOST === 'store' ? await openSharedObjects(bucketOptions(config)) : undefined
  if (objects === undefined) return work(`${config.DATA_DIR}/repositories/${owner}/${name}.git`)
  const root = `${config.DATA_DIR}/repository-store`
  const store = openStore({ root, objects, ledger: createRepositoryLedger(db), maxCacheBytes: 1024 ** 3 })
  const view = await store.views.openExisting(repository)
  try {
    const result = await work(view.directory)
    await publish(store, view, { repository })
    return result
  } finally {
    await view.close()
  }
}
