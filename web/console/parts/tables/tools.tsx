import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { saveFile } from '../../files/save-file.ts'
import { Action } from '../action.tsx'
import { TextField } from '../form.tsx'
import type { List } from '../loaded.tsx'
import { showSuccess } from '../toasts/toasts.ts'
import { count } from '../words.tsx'
import { complete, maxCompleteRows } from './complete.ts'

type Props = {
  caption: string
  /** Undefined: the table has too few rows to be filtered. */
  filter: string | undefined
  onFilter: (text: string) => void
  onExport: () => Promise<unknown>
}

/** Filter of a table, and the button that exports it. */
export function TableTools({ caption, filter, onFilter, onExport }: Props) {
  return (
    <div className="table-tools">
      {filter !== undefined && (
        <TextField
          type="search"
          size="xs"
          aria-label={`Filter: ${caption}`}
          placeholder="Filter the rows"
          value={filter}
          onChange={({ target }) => onFilter(target.value)}
        />
      )}
      <Action label={`Export CSV: ${caption}`} icon={<IconDownload aria-hidden size={14} />} onAct={onExport}>
        Export CSV
      </Action>
    </div>
  )
}

type Exported<T> = { caption: string; list: List<T> | undefined; rows: readonly T[]; rowKey: (row: T) => string }

/** Saves what `toCsv` makes of the shown rows and the others of the list, or of the first ones if there are too many. */
export async function exportRows<T>(
  { caption, list, rows, rowKey }: Exported<T>,
  toCsv: (rows: readonly T[]) => string,
): Promise<void> {
  const shown = new Set(rows.map(rowKey))
  const others = list === undefined ? [] : (await complete(list)).filter((row) => !shown.has(rowKey(row)))
  const all = [...rows, ...others]
  const name = caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  await saveFile(`${name}.csv`, { content: toCsv(all), encoding: 'utf-8' })
  if (list?.hasNextPage === true && all.length >= maxCompleteRows)
    showSuccess(`The file has the first ${count(all.length)} rows. The list has more.`)
}
