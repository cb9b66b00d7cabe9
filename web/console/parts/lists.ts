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

type CursorPage<T> = { rows: T[]; next: string | null }
type CursorOptions<T> = {
  key: QueryKey
  fetchPage: (at: { cursor?: string }) => Promise<CursorPage<T>>
  /** Read again after this time, by what is there; false: not at all. */
  refetchMs?: (rows: readonly T[]) => number | false
}

/** A list that the API reads by cursor. */
export function useCursorList<T>({ key, fetchPage, refetchMs = () => false }: CursorOptions<T>): List<T> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam: cursor }) => fetchPage(cursor === null ? {} : { cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => refetchMs(state.data?.pages.flatMap(({ rows }) => rows) ?? []),
    select: ({ pages, pageParams }) => ({ pages: pages.map(({ rows }) => rows), pageParams }),
  })
}
