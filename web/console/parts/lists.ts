import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query'
import type { List } from './loaded.tsx'

export const pageSize = 50

type Options<T> = {
  key: QueryKey
  /** Rows of one page; a page that is not full is the last. */
  fetchPage: (offset: number) => Promise<T[]>
  /** Read again after this time while somebody looks. */
  refetchMs?: number
}

/** A list that the API reads by offset. */
export function useOffsetList<T>({ key, fetchPage, refetchMs }: Options<T>): List<T> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageSize ? undefined : pages.length * pageSize),
    ...(refetchMs !== undefined && { refetchInterval: refetchMs }),
  })
}
