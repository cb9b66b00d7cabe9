import type { UIMessage } from 'ai'
import type { Versions } from './message.tsx'

type Branch = { id: string; parentId: string | null; afterMessageId: string | null; selected: boolean }

/**
 * Versions at each message, by its id: the branches that begin there, and the parent that they leave. Messages with one
 * version are left out.
 */
export function findVersions(messages: readonly UIMessage[], branches: readonly Branch[]): Map<string, Versions> {
  const selected = listPath(branches)
  const found = new Map<string, Versions>()
  for (const [at, { id }] of messages.entries()) {
    const before = messages[at - 1]?.id ?? null
    const forks = branches.filter(({ parentId, afterMessageId }) => parentId !== null && afterMessageId === before)
    const parent = forks[0]?.parentId
    if (parent === undefined || parent === null) continue
    const ids = [parent, ...forks.map((fork) => fork.id)]
    found.set(id, {
      ids,
      shown: Math.max(
        0,
        ids.findLastIndex((branch) => selected.has(branch)),
      ),
    })
  }
  return found
}

/** The selected branch and those that it continues. */
function listPath(branches: readonly Branch[]): Set<string> {
  const path = new Set<string>()
  let branch = branches.find(({ selected }) => selected)
  while (branch !== undefined && !path.has(branch.id)) {
    path.add(branch.id)
    const { parentId } = branch
    branch = branches.find(({ id }) => id === parentId)
  }
  return path
}
