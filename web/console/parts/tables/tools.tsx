import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { saveFile } from '../../files/save-file.ts'
import { Action } from '../buttons/action.tsx'
import { TextField } from '../form.tsx'
import type { List } from '../loaded.tsx'
import { showSuccess } from '../toasts/toasts.ts'
import { count } from '../words.tsx'
import { loadAllRows, maxLoadedRows } from './complete.ts'

type Props = {
  caption: string
  /** Undefined if the table has too few rows for a filter. */
  filter: string | undefined
  onFilter: (text: string) => void
  onExport: () => unknown
}

/** Filter of a table, and a button that exports the rows. */
export function TableTools({ caption, filter, onFilter, onExport }: Props) {
  return (
    <div className="buttons table-tools">
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
      <Action
        name="Export CSV"
        label={`Export CSV: ${caption}`}
        icon={<IconDownload aria-hidden size={14} />}
        onAct={onExport}
      />
    </div>
  )
}

type ExportedTable<T> = { caption: string; list: List<T> | undefined; rows: readonly T[]; rowKey: (row: T) => string }

/** Saves the rows of a list as a CSV file. A longer list is truncated after `maxLoadedRows` rows. */
export async function exportRows<T>(
  { caption, list, rows, rowKey }: ExportedTable<T>,
  toCsv: (rows: readonly T[]) => string,
): Promise<void> {
  const loadedKeys = new Set(rows.map(rowKey))
  const otherRows = list === undefined ? [] : (await loadAllRows(list)).filter((row) => !loadedKeys.has(rowKey(row)))
  const allRows = [...rows, ...otherRows]
  const name = caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  saveFile(`${name}.csv`, { content: toCsv(allRows), encoding: 'utf-8' })
  if (list?.hasNextPage === true && allRows.length >= maxLoadedRows)
    showSuccess(`The file contains the first ${count(allRows.length)} rows. The list has more.`)
}
