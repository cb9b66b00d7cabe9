import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown'
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp'
import type { ReactNode } from 'react'
import type { List } from './loaded.tsx'
import { maxLoadedRows } from './tables/complete.ts'
import { exportRows, TableTools } from './tables/tools.tsx'
import { toCsv } from './tables/csv.ts'
import { useOrder } from './tables/order.ts'
import type { Sort, Value } from './tables/values.ts'
import { count, Time } from './words.tsx'

type Column<T> = {
  name: string
  /** Value of a cell for sorting, filtering and export. A column without it is display-only. */
  value?: (row: T) => Value
  /** Formats the number in a cell. */
  format?: (value: number) => string
  /** Content of a cell. Default: the formatted value, or a dash if there is none. */
  show?: (row: T) => ReactNode
  isNumber?: boolean
  isExportOnly?: boolean
  /** Replaces the name in the header of the column. */
  head?: ReactNode
}

type Props<T> = {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
  /** Paginated list of the rows. The table loads all pages before it sorts, filters or exports the rows. */
  list?: List<T>
  /** `all`: an export button, and a filter if there are many rows. `export`: no filter, because the page has its own. */
  tools?: 'all' | 'export'
}

/** Table that scrolls horizontally when it is wider than the page. The header of a column with values sorts the rows. */
export function Table<T>({ caption, columns, rows, rowKey, list, tools }: Props<T>) {
  const { isOrdered, sort, filter, setSort, setFilter, order } = useOrder({ caption, columns, list })
  const orderedRows = order(rows)
  const visibleColumns = columns.filter(({ isExportOnly }) => isExportOnly !== true)
  const isFilterable = tools === 'all' && (rows.length > maxRowsWithoutFilter || filter !== '')
  return (
    <>
      {tools !== undefined && (
        <TableTools
          caption={caption}
          filter={isFilterable ? filter : undefined}
          onFilter={setFilter}
          onExport={() => exportRows({ caption, list, rows, rowKey }, (allRows) => toCsv(columns, order(allRows)))}
        />
      )}
      <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
        <table>
          <caption className="hidden">{caption}</caption>
          <thead>
            <tr>
              {visibleColumns.map((column) => (
                <ColumnHeader
                  key={column.name}
                  column={column}
                  sort={sort}
                  onSort={rows.length > 1 ? setSort : undefined}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {orderedRows.map((row) => (
              <tr key={rowKey(row)}>
                {visibleColumns.map((column) => (
                  <td key={column.name} className={getColumnClass(column)}>
                    {renderCell(column, row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {orderedRows.length === 0 && rows.length > 0 && <p className="quiet">No row matches the filter.</p>}
      {list !== undefined && isOrdered && <LoadedRowsNote list={list} loadedCount={rows.length} />}
    </>
  )
}

/** A table with more rows has a filter. */
const maxRowsWithoutFilter = 10

type ColumnHeaderProps<T> = {
  column: Column<T>
  sort: Sort | undefined
  onSort: ((column: string) => void) | undefined
}

function ColumnHeader<T>({ column, sort, onSort }: ColumnHeaderProps<T>) {
  const { name, head, value } = column
  const direction = sort?.column === name ? sort.direction : undefined
  const Icon = direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" className={getColumnClass(column)} aria-sort={direction}>
      {value === undefined || onSort === undefined ? (
        (head ?? name)
      ) : (
        <button type="button" className="sort" onClick={() => onSort(name)}>
          {name}
          <Icon aria-hidden size={13} stroke={1.8} />
        </button>
      )}
    </th>
  )
}

/** Explains that only the loaded rows are sorted and filtered while the list has more. */
function LoadedRowsNote<T>({ list: { hasNextPage, isError }, loadedCount }: { list: List<T>; loadedCount: number }) {
  if (!hasNextPage) return null
  return (
    <p className="quiet" role="status">
      {loadedCount >= maxLoadedRows || isError
        ? `Only the first ${count(loadedCount)} rows are sorted and filtered. The list has more.`
        : `Loading the remaining rows; ${count(loadedCount)} loaded so far …`}
    </p>
  )
}

function renderCell<T>({ show, value, format = count }: Column<T>, row: T): ReactNode {
  if (show !== undefined) return show(row)
  const cell = value?.(row) ?? '–'
  if (cell instanceof Date) return <Time at={cell} />
  return typeof cell === 'number' ? format(cell) : cell
}

function getColumnClass<T>({ head, format, isNumber = format !== undefined }: Column<T>): string | undefined {
  if (head !== undefined) return 'control'
  return isNumber ? 'number' : undefined
}
