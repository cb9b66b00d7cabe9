import { useEffect } from 'react'
import type { List } from '../loaded.tsx'

/** Rows up to which a list is read to the end before it is sorted, filtered or exported. */
export const maxCompleteRows = 2000

/** Reads the rest of a list, page by page, while `isNeeded`. */
export function useComplete<T>(list: List<T> | undefined, isNeeded: boolean): void {
  const isMissing = isNeeded && list !== undefined && isIncomplete(list) && !list.isFetching && !list.isError
  useEffect(() => {
    if (isMissing) void list.fetchNextPage()
  }, [isMissing, list])
}

/** Reads the rest of a list. Throws if a page cannot be read. */
export async function complete<T>(list: List<T>): Promise<T[]> {
  let current = list
  while (isIncomplete(current)) current = await current.fetchNextPage({ throwOnError: true })
  return current.data?.pages.flat() ?? []
}

function isIncomplete<T>({ hasNextPage, data }: List<T>): boolean {
  return hasNextPage && (data?.pages.flat().length ?? 0) < maxCompleteRows
}
