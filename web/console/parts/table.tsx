import type { ReactNode } from 'react'

type Column<T> = {
  name: string
  show: (row: T) => ReactNode
  isNumber?: boolean
  /** Shown as the head of the column in place of its name. */
  head?: ReactNode
}

type Props<T> = { caption: string; columns: readonly Column<T>[]; rows: readonly T[]; rowKey: (row: T) => string }

/** Table that scrolls horizontally when it is wider than the page. */
export function Table<T>({ caption, columns, rows, rowKey }: Props<T>) {
  return (
    <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, head }) => (
              <th key={name} scope="col" className={columnClass(isNumber, head)}>
                {head ?? name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ name, show, isNumber, head }) => (
                <td key={name} className={columnClass(isNumber, head)}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function columnClass(isNumber = false, head?: ReactNode): string | undefined {
  if (head !== undefined) return 'control'
  return isNumber ? 'number' : undefined
}
