import {
  compareRefs,
  judgeChanges,
  type RefChange,
  type RefRefusal,
  type StoredPack,
  type StoredRepository,
} from '../../../domain/repositories/stored.ts'
import { CodeHostUnavailableError, type RepositoryName } from '../index.ts'
import { uploadNewPacks, type UploadOptions } from './new-packs.ts'
import { repositoryNotFound, type View } from './view.ts'

export type PublishOptions = UploadOptions & { maxRepositoryBytes: number }

const maxAttempts = 50

/**
 * Publishes the changes of a view: uploads the new packs, then changes the refs by compare-and-set. Returns the refs whose
 * change was refused. All other refs are changed together. With `atomic`, one refusal rejects all changes. Throws
 * `CodeHostUnavailableError` if the object store fails. In this case, no ref is changed.
 */
export async function publish(
  options: PublishOptions,
  view: View,
  { repository, atomic = false }: { repository: RepositoryName; atomic?: boolean },
): Promise<Map<string, RefRefusal>> {
  const refused = new Map<string, RefRefusal>()
  const { ledger, maxRepositoryBytes: maxBytes } = options
  const { id } = view.stored
  let changes = compareRefs(view.stored.refs, await view.listRefs())
  let packs: StoredPack[] | undefined
  for (let attempt = 0; attempt < maxAttempts && changes.length > 0; attempt++) {
    // Checked before the upload, so that a stale push uploads nothing.
    const current = await ledger.find(repository)
    if (current?.id !== id) throw repositoryNotFound(repository)
    const verdict = judgeChanges(changes, current.refs)
    for (const { ref, reason } of verdict.refused) refused.set(ref, reason)
    if (atomic && refused.size > 0) return refuseAll(changes, refused, 'atomic')
    if (packs !== undefined && isFull(current, packs, maxBytes)) return refuseAll(verdict.possible, refused, 'full')
    changes = verdict.possible
    if (changes.length === 0) break
    packs ??= changes.some(({ to }) => to !== null) ? await uploadNewPacks(options, view) : []
    if (await ledger.commit(id, { changes, packs, maxBytes })) changes = []
  }
  if (changes.length === 0) {
    // All refs have their new values, so the packs are committed.
    if (refused.size === 0) view.uncommitted = []
    return refused
  }
  throw new CodeHostUnavailableError('the repository changed during every attempt')
}

function refuseAll(
  changes: RefChange[],
  refused: Map<string, RefRefusal>,
  reason: RefRefusal,
): Map<string, RefRefusal> {
  for (const { ref } of changes) if (!refused.has(ref)) refused.set(ref, reason)
  return refused
}

function isFull({ packs: stored }: StoredRepository, packs: StoredPack[], maxBytes: number): boolean {
  return (
    maxBytes > 0 &&
    [...stored, ...packs].reduce((sum, { packBytes, indexBytes }) => sum + packBytes + indexBytes, 0) > maxBytes
  )
}
