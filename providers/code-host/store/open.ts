import { resolve } from 'node:path'
import type { RepositoryLedger } from '../../../domain/repositories/stored.ts'
import type { BlobObjects } from '../../blob/index.ts'
import { createAllowance, type AllowanceOptions } from '../allowance.ts'
import { createPackObjects } from './objects.ts'
import { createPackCache } from './pack-cache.ts'
import { createViews } from './view.ts'

export type StoreOptions = AllowanceOptions & {
  /** Folder of this machine. `cache` in it, which has copies of packs, may be deleted at any time. */
  root: string
  maxCacheBytes: number
  /** The object store, which every machine reaches. */
  objects: BlobObjects
  ledger: RepositoryLedger
}

/** Opens the parts of the store that its adapters share. */
export function openStore(options: StoreOptions) {
  const { ledger, maxRepositoryBytes = 0 } = options
  const root = resolve(options.root)
  const objects = createPackObjects(options.objects)
  const cache = createPackCache({ root: `${root}/cache`, objects, maxBytes: options.maxCacheBytes })
  const views = createViews({ root, ledger, cache })
  return { ledger, objects, cache, views, maxRepositoryBytes, allowance: createAllowance(options) }
}
export type Store = ReturnType<typeof openStore>
