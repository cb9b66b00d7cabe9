import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query'
import type { List } from './loaded.tsx'

const pageSize = 50

/** `next_offset`: set if the page ended early, for example because of its size. */
type OffsetPage = { next_offset?: number | null; pagination?: { next_offset?: number } }

/** Reads a list of the API page by page, by offset. `refetchMs`: refetch interval while the page is open. */
export function useOffsetList<P extends object, T>(
  queryKey: QueryKey,
  fetchPage: (range: { limit: number; offset: number }) => Promise<P>,
  getRows: (page: P) => T[],
  refetchMs?: number,
): List<T> {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: offset }) => fetchPage({ limit: pageSize, offset }),
    initialPageParam: 0,
    getNextPageParam: (page, _pages, offset) => {
      const { next_offset: next, pagination }: OffsetPage = page
      return next ?? pagination?.next_offset ?? (getRows(page).length < pageSize ? undefined : offset + pageSize)
    },
    select: ({ pages, pageParams }) => ({ pages: pages.map(getRows), pageParams }),
    refetchInterval: refetchMs,
  })
}

type CursorOptions<T> = {
  /** Returns the refetch interval in milliseconds for the loaded rows; false: no refetches. */
  refetchMs?: (rows: readonly T[]) => number | false
  /** Time in milliseconds for which loaded rows stay fresh when the user returns to the page. */
  staleMs?: number
}

/** Reads a list of the API page by page, by cursor. */
export function useCursorList<P extends { next_cursor: string | null }, T>(
  queryKey: QueryKey,
  fetchPage: (range: { limit: number; cursor?: string }) => Promise<P>,
  getRows: (page: P) => T[],
  { refetchMs = () => false, staleMs }: CursorOptions<T> = {},
): List<T> {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor }) => fetchPage({ limit: pageSize, ...(cursor !== null && { cursor }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    ...(staleMs !== undefined && { staleTime: staleMs }),
    refetchInterval: ({ state }) => refetchMs(state.data?.pages.flatMap(getRows) ?? []),
    select: ({ pages, pageParams }) => ({ pages: pages.map(getRows), pageParams }),
  })
}
