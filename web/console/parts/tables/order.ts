import { useState } from 'react'
import { createStore } from '../../access/store.ts'
import type { List } from '../loaded.tsx'
import { useAllRows } from './complete.ts'
import { filterRows, nextSort, sortRows, type Sort, type Value } from './values.ts'

type Columns<T> = readonly { name: string; value?: (row: T) => Value }[]
type Options<T> = { caption: string; columns: Columns<T>; list: List<T> | undefined }

/** Sort of each table, by caption. It survives navigation to a row and back. */
const sorts = createStore<Readonly<Record<string, Sort | undefined>>>({})

/** Returns the sort and the filter of a table, and the function `order` that applies them to rows. */
export function useOrder<T>({ caption, columns, list }: Options<T>) {
  const sort = sorts.use()[caption]
  const [filter, setFilter] = useState('')
  const isOrdered = sort !== undefined || filter.trim() !== ''
  useAllRows(list, isOrdered)
  return {
    isOrdered,
    sort,
    filter,
    setFilter,
    setSort: (column: string) => sorts.set({ ...sorts.get(), [caption]: nextSort(sort, column) }),
    order: (rows: readonly T[]): readonly T[] => sortRows(filterRows(rows, columns, filter), columns, sort),
  }
}
