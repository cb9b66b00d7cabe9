import { useState } from 'react'
import type { components } from '../../../client/schema.ts'
import { count, duration, money, Status } from '../parts/words.tsx'

type Entry = components['schemas']['TimelineEntry']

type Props = { entries: readonly Entry[]; run: { createdAt: string; endedAt: string | null } }

/** Timeline of a run on one time scale, with each entry indented under its parent. */
export function Timeline({ entries, run }: Props) {
  const begin = Date.parse(run.createdAt)
  const end = Math.max(run.endedAt === null ? Date.now() : Date.parse(run.endedAt), begin + 1)
  const depths = computeDepths(entries)
  if (entries.length === 0) return <p className="empty">No steps yet.</p>
  return (
    <ol className="timeline">
      {entries.map((entry) => (
        <Row key={entry.id} entry={entry} depth={Math.min(3, depths.get(entry.id) ?? 0)} scale={{ begin, end }} />
      ))}
    </ol>
  )
}

type Scale = { begin: number; end: number }

function Row({ entry, depth, scale }: { entry: Entry; depth: number; scale: Scale }) {
  const [isOpen, setOpen] = useState(false)
  const { kind, status, durationMs, error } = entry
  const hasMore = error !== null || entry.model !== null || entry.input !== null || entry.output !== null
  return (
    <li className={`depth-${depth}`}>
      <div className="entry">
        <span className="name">
          {hasMore ? (
            <button type="button" className="plain link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {formatName(entry)}
            </button>
          ) : (
            formatName(entry)
          )}{' '}
          {status !== 'completed' && <Status of={status} />}
        </span>
        <span className="lane" aria-hidden="true">
          <span className={`bar of-${kind} ${status}`} style={computePosition(entry, scale)} />
        </span>
        <span className="number">{durationMs === null ? '' : duration(durationMs)}</span>
      </div>
      {isOpen && <More entry={entry} />}
    </li>
  )
}

function More({ entry: { error, model, input, output } }: { entry: Entry }) {
  return (
    <div className="more">
      {error !== null && (
        <p className="wrong">
          {error.name}: {error.message}
        </p>
      )}
      {model !== null && (
        <p className="quiet">
          {[
            model.modelId,
            `${count(model.inputTokens)} tokens in (${count(model.cachedInputTokens)} cached)`,
            `${count(model.outputTokens)} out`,
            Number(model.costUsd) > 0 && money(Number(model.costUsd)),
            model.finishReason,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      {input !== null && (
        <pre className="output" tabIndex={0}>
          {input}
        </pre>
      )}
      {output !== null && (
        <pre className="output" tabIndex={0}>
          {output}
        </pre>
      )}
    </div>
  )
}

const waits: Record<string, string> = {
  queue: 'Waited in the queue',
  retry: 'Waited for a retry',
  user: 'Waited for the user',
  run: 'Waited for a run',
}

function formatName({ kind, name, attempt }: Entry): string {
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

function computePosition({ startedAt, endedAt }: Entry, { begin, end }: Scale): { left: string; width: string } {
  const from = startedAt === null ? begin : Date.parse(startedAt)
  const to = endedAt === null ? end : Date.parse(endedAt)
  const share = (time: number): number => Math.min(1, Math.max(0, (time - begin) / (end - begin)))
  return { left: `${share(from) * 100}%`, width: `${Math.max(0.4, (share(to) - share(from)) * 100)}%` }
}

/** Computes the depth of each entry in the tree. Parents precede their children in the list. */
function computeDepths(entries: readonly Entry[]): Map<string, number> {
  const depths = new Map<string, number>()
  for (const { id, parentId } of entries) depths.set(id, parentId === null ? 0 : (depths.get(parentId) ?? 0) + 1)
  return depths
}
