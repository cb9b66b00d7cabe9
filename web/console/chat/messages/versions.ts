import type { UIMessage } from 'ai'
import type { Versions } from './message-actions.tsx'

type Branch = { id: string; parentId: string | null; afterMessageId: string | null; selected: boolean }

/**
 * Returns the versions of each message by message id: the branches that fork at the message, and their parent branch.
 * Messages with a single version are omitted.
 */
export function findVersions(messages: readonly UIMessage[], branches: readonly Branch[]): Map<string, Versions> {
  const selected = collectSelected(branches)
  const versions = new Map<string, Versions>()
  for (const [index, { id }] of messages.entries()) {
    const previousId = messages[index - 1]?.id ?? null
    const forks = branches.filter(({ parentId, afterMessageId }) => parentId !== null && afterMessageId === previousId)
    const parent = forks[0]?.parentId
    if (parent === undefined || parent === null) continue
    const ids = [parent, ...forks.map((fork) => fork.id)]
    versions.set(id, {
      ids,
      visible: Math.max(
        0,
        ids.findLastIndex((branch) => selected.has(branch)),
      ),
    })
  }
  return versions
}

/** Returns the ids of the selected branch and its ancestors. */
function collectSelected(branches: readonly Branch[]): Set<string> {
  const ids = new Set<string>()
  let branch = branches.find(({ selected }) => selected)
  while (branch !== undefined && !ids.has(branch.id)) {
    ids.add(branch.id)
    const { parentId } = branch
    branch = branches.find(({ id }) => id === parentId)
  }
  return ids
}
