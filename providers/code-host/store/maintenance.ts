import { join } from 'node:path'
import { choosePacks } from '../../../domain/repositories/stored.ts'
import { git } from '../git.ts'
import type { RepositoryName } from '../index.ts'
import { uploadPack } from './new-packs.ts'
import { packName } from './pack-cache.ts'
import type { Store } from './open.ts'
import { listNewPacks } from './view.ts'

const minPacks = 16
const repositoriesPerRound = 20
/** Age at which unreferenced packs are deleted. Until then, a reader may download a pack and an upload may be in progress. */
const graceMs = 24 * 60 * 60 * 1000
const garbagePerRound = 500
const packTimeoutMs = 30 * 60_000

/** Combines small packs in repositories that have many of them. */
export async function compact(store: Store): Promise<void> {
  for (const repository of await store.ledger.listFragmented(minPacks, repositoriesPerRound))
    await compactRepository(store, repository)
}

/**
 * Combines packs and keeps all their objects, because a concurrent push may depend on objects that no ref reaches yet. Safe
 * to run concurrently with pushes and with other compactions.
 */
async function compactRepository(store: Store, repository: RepositoryName): Promise<void> {
  const view = await store.views.open(repository)
  if (view === undefined) return
  try {
    const replaced = choosePacks(view.stored.packs)
    if (replaced.length === 0) return
    const stdin = [...new Set(replaced.map((pack) => `${packName(pack)}.pack\n`))].join('')
    const external = [join(view.directory, 'objects', 'pack', 'pack')]
    await git(view.directory, ['pack-objects', '--quiet', '--stdin-packs'], {
      external,
      stdin,
      timeoutMs: packTimeoutMs,
    })
    const [name] = await listNewPacks(view)
    if (name === undefined) return
    const combined = await uploadPack(store, view, name)
    await store.ledger.replacePacks(view.stored.id, replaced, combined)
  } finally {
    await view.close()
  }
}

/** Deletes unreferenced packs after a grace period, and packs of deleted repositories immediately. */
export async function deleteGarbage({ ledger, objects }: Store): Promise<void> {
  for (;;) {
    const packs = await ledger.claimGarbage({ graceMs, limit: garbagePerRound })
    for (const pack of packs) await objects.remove(pack)
    await ledger.forget(packs)
    if (packs.length < garbagePerRound) return
  }
}
