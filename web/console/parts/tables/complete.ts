import { useEffect } from 'react'
import type { List } from '../loaded.tsx'

/** Maximum number of rows that a table loads to sort, filter or export a list. */
export const maxLoadedRows = 2000

/** Loads the remaining pages of a list while `isEnabled`. */
export function useAllRows<T>(list: List<T> | undefined, isEnabled: boolean): void {
  const hasPageToLoad = isEnabled && list !== undefined && isIncomplete(list) && !list.isFetching && !list.isError
  useEffect(() => {
    if (hasPageToLoad) void list.fetchNextPage()
  }, [hasPageToLoad, list])
}

/** Loads the remaining pages of a list and returns all rows. Throws if a page cannot be read. */
export async function loadAllRows<T>(list: List<T>): Promise<T[]> {
  let current = list
  while (isIncomplete(current)) current = await current.fetchNextPage({ throwOnError: true })
  return current.data?.pages.flat() ?? []
}

function isIncomplete<T>({ hasNextPage, data }: List<T>): boolean {
  return hasNextPage && (data?.pages.flat().length ?? 0) < maxLoadedRows
}
