import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query'
import type { List } from './loaded.tsx'

export const pageSize = 50

type OffsetPage<T> = { rows: T[]; nextOffset?: number | undefined }
type Options<T> = {
  key: QueryKey
  /** A page that is not full is the last, unless it names the next one. */
  fetchPage: (offset: number) => Promise<OffsetPage<T>>
  /** Milliseconds after which an open page reads the list again. */
  refetchMs?: number
}

/** A list that the API reads by offset. */
export function useOffsetList<T>({ key, fetchPage, refetchMs }: Options<T>): List<T> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ rows, nextOffset }, _pages, offset) =>
      nextOffset ?? (rows.length < pageSize ? undefined : offset + pageSize),
    select: ({ pages, pageParams }) => ({ pages: pages.map(({ rows }) => rows), pageParams }),
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
