import type { ReactNode } from 'react'

type Column<T> = { name: string; show: (row: T) => ReactNode; isNumber?: boolean }

type Props<T> = { caption: string; columns: readonly Column<T>[]; rows: readonly T[]; rowKey: (row: T) => string }

/** Table that scrolls horizontally when it is wider than the page. */
export function Table<T>({ caption, columns, rows, rowKey }: Props<T>) {
  return (
    <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={isNumber === true ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ name, show, isNumber }) => (
                <td key={name} className={isNumber === true ? 'number' : undefined}>
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
