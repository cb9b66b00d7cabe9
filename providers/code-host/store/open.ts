import { resolve } from 'node:path'
import type { RepositoryLedger } from '../../../domain/repositories/stored.ts'
import type { BlobObjects } from '../../blob/index.ts'
import { createAllowance, type AllowanceOptions } from '../allowance.ts'
import { createPackObjects } from './objects.ts'
import { createPackCache } from './pack-cache.ts'
import { createViews } from './view.ts'

export type StoreOptions = AllowanceOptions & {
  /** Folder on this machine. Its subfolder `cache`, which has copies of packs, may be deleted at any time. */
  root: string
  maxCacheBytes: number
  /** Object store that all machines share. */
  objects: BlobObjects
  ledger: RepositoryLedger
}

/** Creates the dependencies that the code host and the git server of the store share. */
export function openStore(options: StoreOptions) {
  const { ledger, maxRepositoryBytes = 0 } = options
  const root = resolve(options.root)
  const objects = createPackObjects(options.objects)
  const cache = createPackCache({ root: `${root}/cache`, objects, maxBytes: options.maxCacheBytes })
  const views = createViews({ root, ledger, cache })
  return { ledger, objects, cache, views, maxRepositoryBytes, allowance: createAllowance(options) }
}
export type Store = ReturnType<typeof openStore>
