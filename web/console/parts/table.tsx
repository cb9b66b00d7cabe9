import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown'
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp'
import type { ReactNode } from 'react'
import type { List } from './loaded.tsx'
import { maxCompleteRows } from './tables/complete.ts'
import { exportRows, TableTools } from './tables/tools.tsx'
import { toCsv } from './tables/csv.ts'
import { useOrder } from './tables/order.ts'
import type { Sort, Value } from './tables/values.ts'
import { count } from './words.tsx'

type Column<T> = {
  name: string
  /** Content of a cell. A column without it is only exported. */
  show?: (row: T) => ReactNode
  /** What the column is sorted, filtered and exported by. A column without it is only shown. */
  value?: (row: T) => Value
  isNumber?: boolean
  /** Shown as the head of the column in place of its name. */
  head?: ReactNode
}

type Props<T> = {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
  /** Paginated list of the rows. It is read to the end before its rows are sorted, filtered or exported. */
  list?: List<T>
  /** Has a button that exports it, and with many rows a filter. `export`: the page filters the list itself. */
  tools?: 'all' | 'export'
}

/** Table that scrolls horizontally when it is wider than the page. The heads of columns with values sort it. */
export function Table<T>({ caption, columns, rows, rowKey, list, tools }: Props<T>) {
  const { isOrdered, sort, filter, setSort, setFilter, order } = useOrder({ caption, columns, list })
  const ordered = order(rows)
  const shown = columns.flatMap(({ show, ...column }) => (show === undefined ? [] : [{ ...column, show }]))
  const isFilterable = tools === 'all' && (rows.length > minFiltered || filter !== '')
  return (
    <>
      {tools !== undefined && (
        <TableTools
          caption={caption}
          filter={isFilterable ? filter : undefined}
          onFilter={setFilter}
          onExport={() => exportRows({ caption, list, rows, rowKey }, (all) => toCsv(columns, order(all)))}
        />
      )}
      <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
        <table>
          <caption className="hidden">{caption}</caption>
          <thead>
            <tr>
              {shown.map((column) => (
                <Head key={column.name} column={column} sort={sort} onSort={rows.length > 1 ? setSort : undefined} />
              ))}
            </tr>
          </thead>
          <tbody>
            {ordered.map((row) => (
              <tr key={rowKey(row)}>
                {shown.map(({ name, show, isNumber, head }) => (
                  <td key={name} className={columnClass(isNumber, head)}>
                    {show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {ordered.length === 0 && rows.length > 0 && <p className="quiet">No row matches the filter.</p>}
      {list !== undefined && isOrdered && <Coverage list={list} loaded={rows.length} />}
    </>
  )
}

/** Up to this number of rows a table needs no filter. */
const minFiltered = 10

type HeadProps<T> = { column: Column<T>; sort: Sort | undefined; onSort: ((column: string) => void) | undefined }

function Head<T>({ column: { name, head, isNumber, value }, sort, onSort }: HeadProps<T>) {
  const direction = sort?.column === name ? sort.direction : undefined
  const Icon = direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" className={columnClass(isNumber, head)} aria-sort={direction}>
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

/** Says which rows are sorted and filtered while the list has more than are loaded. */
function Coverage<T>({ list: { hasNextPage, isError }, loaded }: { list: List<T>; loaded: number }) {
  if (!hasNextPage) return null
  return (
    <p className="quiet" role="status">
      {loaded >= maxCompleteRows || isError
        ? `Only the first ${count(loaded)} rows are sorted and filtered. The list has more.`
        : `Loading the other rows; ${count(loaded)} are here …`}
    </p>
  )
}

function columnClass(isNumber = false, head?: ReactNode): string | undefined {
  if (head !== undefined) return 'control'
  return isNumber ? 'number' : undefined
}
