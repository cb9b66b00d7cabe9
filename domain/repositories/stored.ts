/** Name of a repository: the owner and the name in its clone URL. */
type StoredName = { owner: string; name: string }

/** Identifies an object of the object store. `sha256` is the hash of its content, and `id` identifies one upload. */
export type PackKey = { id: string; repositoryId: string; sha256: string }

/** One object of the object store: a git pack followed by its index. */
export type StoredPack = Pick<PackKey, 'id' | 'sha256'> & { packBytes: number; indexBytes: number }

/** Full ref names with the ids of their objects. */
export type Refs = Record<string, string>

/** The refs and packs of a repository at one time. Every object that a ref reaches is in one of the packs. */
export type StoredRepository = { id: string; refs: Refs; packs: StoredPack[] }

/** Change of one ref. `from` is null for a new ref, `to` for a deleted ref. */
export type RefChange = { ref: string; from: string | null; to: string | null }

/** Reason why a change of a ref was refused. `atomic`: another change of the same push was refused. */
export type RefRefusal = 'moved' | 'name-conflict' | 'full' | 'too-many-refs' | 'atomic'

/** Maximum number of branches and tags of a repository. */
const maxRefs = 10_000

/**
 * Records which packs and refs a repository has. A pack is recorded before its upload, so that an object without a reference
 * is always known and can be deleted.
 */
export type RepositoryLedger = {
  find(name: StoredName): Promise<StoredRepository | undefined>
  /** Records that a pack is being uploaded. */
  reserve(repositoryId: string, pack: StoredPack): Promise<void>
  /** Creates the repository with reserved packs. Returns false if the name exists. */
  create(repository: StoredName & StoredRepository): Promise<boolean>
  /**
   * Applies all changes of refs in one statement, and adds the reserved packs. Returns false without any change if a ref is not
   * as expected, a new ref conflicts with the name of another ref, or the packs would exceed `maxBytes`; 0 means no limit.
   */
  commit(repositoryId: string, push: { changes: RefChange[]; packs: StoredPack[]; maxBytes: number }): Promise<boolean>
  /** Replaces packs with a reserved pack of the same objects. Returns false if one of them was already replaced. */
  replacePacks(repositoryId: string, replaced: StoredPack[], replacement: StoredPack): Promise<boolean>
  /** Deletes a repository. Its packs become garbage without a grace period. */
  remove(name: StoredName): Promise<void>
  /** Lists repositories with at least this number of packs. */
  listFragmented(minPacks: number, limit: number): Promise<StoredName[]>
  /** Claims packs for deletion that have had no reference for longer than the grace period. */
  claimGarbage(options: { graceMs: number; limit: number }): Promise<PackKey[]>
  /** Deletes the records of claimed packs whose objects are deleted. */
  forget(packs: PackKey[]): Promise<void>
}

/** Returns the changes between two states of a repository's refs. */
export function compareRefs(before: Refs, after: Refs): RefChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].toSorted().flatMap((ref) => {
    const change = { ref, from: before[ref] ?? null, to: after[ref] ?? null }
    return change.from === change.to ? [] : [change]
  })
}

/** Splits changes into possible and refused changes. A ref that already has its new value needs no change. */
export function judgeChanges(
  changes: RefChange[],
  refs: Refs,
): { possible: RefChange[]; refused: { ref: string; reason: RefRefusal }[] } {
  const deletedRefs = new Set(changes.flatMap(({ ref, to }) => (to === null ? [ref] : [])))
  const refNames = Object.keys(refs).filter((ref) => !deletedRefs.has(ref))
  const possible: RefChange[] = []
  const refused: { ref: string; reason: RefRefusal }[] = []
  for (const change of changes) {
    const { ref, from, to } = change
    const currentId = refs[ref] ?? null
    if (currentId === to) continue
    const reason = currentId === from ? findObstacle(change, refNames) : 'moved'
    if (reason === undefined) possible.push(change)
    else refused.push({ ref, reason })
  }
  return { possible, refused }
}

function findObstacle({ ref, from }: RefChange, refNames: string[]): RefRefusal | undefined {
  if (from !== null) return undefined
  if (refNames.length >= maxRefs) return 'too-many-refs'
  return refNames.some((name) => name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`)) ? 'name-conflict' : undefined
}

const minSizeRatio = 2
const maxPacks = 8

/**
 * Chooses the packs that a compaction combines, so that the sizes of the other packs form a geometric progression: each pack
 * has at least twice the bytes of all smaller packs. Each object is then rewritten a logarithmic number of times.
 */
export function choosePacks(packs: StoredPack[]): StoredPack[] {
  const bySize = packs.toSorted((a, b) => b.packBytes - a.packBytes)
  let smallerBytes = bySize.reduce((sum, { packBytes }) => sum + packBytes, 0)
  const firstCombined = bySize.findIndex(({ packBytes }, index) => {
    smallerBytes -= packBytes
    return index >= maxPacks || packBytes < minSizeRatio * smallerBytes
  })
  const combined = firstCombined === -1 ? [] : bySize.slice(firstCombined)
  return combined.length > 1 ? combined : []
}
