import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query'
import type { List } from './loaded.tsx'

export const pageSize = 50

type OffsetPage<T> = { rows: T[]; nextOffset?: number | undefined }
type Options<T> = {
  key: QueryKey
  /** Reads one page. Without `nextOffset`, a page with fewer than `pageSize` rows is the last. */
  fetchPage: (offset: number) => Promise<OffsetPage<T>>
  /** Refetch interval in milliseconds while the page is open; undefined: no refetches. */
  refetchMs?: number
}

/** Reads a list of the API page by page, by offset. */
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
  fetchPage: (query: { cursor?: string }) => Promise<CursorPage<T>>
  /** Returns the refetch interval in milliseconds for the loaded rows; false: no refetches. */
  refetchMs?: (rows: readonly T[]) => number | false
  /** Time in milliseconds for which loaded rows stay fresh when the user returns to the page. */
  staleMs?: number
}

/** Reads a list of the API page by page, by cursor. */
export function useCursorList<T>({ key, fetchPage, refetchMs = () => false, staleMs }: CursorOptions<T>): List<T> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam: cursor }) => fetchPage(cursor === null ? {} : { cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    ...(staleMs !== undefined && { staleTime: staleMs }),
    refetchInterval: ({ state }) => refetchMs(state.data?.pages.flatMap(({ rows }) => rows) ?? []),
    select: ({ pages, pageParams }) => ({ pages: pages.map(({ rows }) => rows), pageParams }),
  })
}
