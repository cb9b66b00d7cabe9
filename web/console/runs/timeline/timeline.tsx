import { duration, Status } from '../../parts/words.tsx'
import { computeTicks } from './axis.ts'
import { describeInput } from '../command.ts'
import { describeEntry, toKey, type Entry, type Row } from './entries.ts'

type Props = {
  rows: readonly Row[]
  run: { createdAt: string; endedAt: string | null }
  /** Key of the row whose texts are shown beside the timeline. */
  selected: string | undefined
  onSelect: (key: string | undefined) => void
}

/** Timeline of a run on one time scale, with each entry indented under its parent. */
export function Timeline({ rows, run, selected, onSelect }: Props) {
  if (rows.length === 0) return <p className="empty">No steps yet.</p>
  const scale = computeScale(rows, run)
  return (
    <>
      <Axis {...scale} />
      <ol className="timeline">
        {rows.map((row) => (
          <TimelineRow
            key={toKey(row)}
            row={row}
            scale={scale}
            isSelected={toKey(row) === selected}
            onSelect={() => onSelect(toKey(row) === selected ? undefined : toKey(row))}
          />
        ))}
      </ol>
    </>
  )
}

/** Unix times in milliseconds. */
type Scale = { begin: number; end: number }

/** Time scale from the acceptance of the run to its end, or to the end of a later entry, such as its commit. */
function computeScale(rows: readonly Row[], { createdAt, endedAt }: Props['run']): Scale {
  const begin = Date.parse(createdAt)
  const timedRows = rows.filter(({ entry: { kind, name } }) => kind !== 'wait' || name !== 'user')
  const ends = timedRows.map(({ entry }) => Date.parse(entry.endedAt ?? entry.startedAt ?? createdAt))
  return { begin, end: Math.max(begin + 1, endedAt === null ? Date.now() : Date.parse(endedAt), ...ends) }
}

/** Times since the acceptance of the run, above the bars. */
function Axis({ begin, end }: Scale) {
  return (
    <div className="entry axis" aria-hidden="true">
      <span />
      <span className="lane">
        {computeTicks(end - begin).map(({ share, label }) => (
          <span key={label} className="tick" style={{ left: `${share * 100}%` }}>
            {label}
          </span>
        ))}
      </span>
      <span />
    </div>
  )
}

type RowProps = { row: Row; scale: Scale; isSelected: boolean; onSelect: () => void }

function TimelineRow({ row: { entry, depth }, scale, isSelected, onSelect }: RowProps) {
  const { kind, status, durationMs, error } = entry
  const hasDetails = error !== null || entry.model !== null || entry.input !== null || entry.output !== null
  const command = kind === 'tool' ? describeInput(entry.input) : ''
  return (
    <li data-selected={isSelected || undefined}>
      <div className="entry">
        <span className="name" style={{ paddingLeft: `${depth * 1.1}rem` }}>
          {hasDetails ? (
            <button
              type="button"
              className="link"
              aria-expanded={isSelected}
              {...(isSelected && { 'aria-controls': 'entry' })}
              onClick={onSelect}
            >
              {describeEntry(entry)}
            </button>
          ) : (
            describeEntry(entry)
          )}{' '}
          {status !== 'completed' && <Status of={status} />}{' '}
          {command !== '' && <code className="command">{command}</code>}
        </span>
        <span className="lane" aria-hidden="true">
          <span className={`bar of-${kind} ${status}`} style={computePosition(entry, scale)} />
        </span>
        <span className="number">{durationMs === null ? '' : duration(durationMs)}</span>
      </div>
    </li>
  )
}

function computePosition({ startedAt, endedAt }: Entry, { begin, end }: Scale): { left: string; width: string } {
  const from = startedAt === null ? begin : Date.parse(startedAt)
  const to = endedAt === null ? end : Date.parse(endedAt)
  const share = (time: number): number => Math.min(1, Math.max(0, (time - begin) / (end - begin)))
  return { left: `${share(from) * 100}%`, width: `${Math.max(0.4, (share(to) - share(from)) * 100)}%` }
}
