import type { Schemas } from '../../access/api.ts'

export type Entry = Schemas['TimelineEntry']

/** A timeline entry as a row. `runId`: run of the entry, which is the run of the page or its child run. */
export type Row = { entry: Entry; depth: number; runId: string }

const maxDepth = 5

/** Returns the rows of a run. The rows of the child run follow the entry that waits for it. */
export function toRows(runId: string, entries: readonly Entry[], child: readonly Row[] = []): Row[] {
  const depths = computeDepths(entries)
  return entries.flatMap((entry) => {
    const row = { entry, runId, depth: Math.min(maxDepth, depths.get(entry.id) ?? 0) }
    return entry.kind === 'wait' && entry.name === 'run' ? [row, ...child.map(indent)] : [row]
  })
}

/** Returns the key that identifies a row in the URL of the page. */
export function toKey({ runId, entry: { id } }: Row): string {
  return `${runId}/${id}`
}

function indent(row: Row): Row {
  return { ...row, depth: Math.min(maxDepth, row.depth + 1) }
}

/** Computes the depth of each entry in the tree. Parents precede their children in the list. */
function computeDepths(entries: readonly Entry[]): Map<string, number> {
  const depths = new Map<string, number>()
  for (const { id, parentId } of entries) depths.set(id, parentId === null ? 0 : (depths.get(parentId) ?? 0) + 1)
  return depths
}

const waits: Record<string, string> = {
  queue: 'Waited in the queue',
  retry: 'Waited for a retry',
  user: 'Waited for the user',
  run: 'Waited for a run',
}

export function describeEntry({ kind, name, attempt }: Entry): string {
  const names: Record<string, string> = {
    wait: waits[name] ?? `Waited: ${name}`,
    step: `Step ${name}: model call`,
    attempt: `Attempt ${name}`,
    tool: name,
    commit: 'Commit and push',
  }
  const attemptNote = attempt !== null && attempt > 1 && kind !== 'attempt' ? `, attempt ${attempt}` : ''
  return (names[kind] ?? `${kind} ${name}`) + attemptNote
}
