import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure, explain } from '../access/failure.ts'
import { useOnline } from '../shell/online.ts'
import { Page } from './page.tsx'

type LoadedProps<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode }

/** Shows the data of a query, or its state: loading, failed or offline. Old data stays visible while it is refetched. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  return error === null ? <Loading /> : <Failed error={error} onRetry={() => void refetch()} />
}

/** Page whose content sets its title. Shows `title` until the data is loaded. */
export function LoadedPage<T>({ title, query, children }: LoadedProps<T> & { title: string }) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Page title={title}>
      <Loaded query={query}>{children}</Loaded>
    </Page>
  )
}

export type List<T> = UseInfiniteQueryResult<InfiniteData<T[]>>

type RowsProps<T> = { list: List<T>; empty: ReactNode; children: (rows: T[]) => ReactNode }

/** Rows of a paginated list, with a button that loads more, or `empty` if there are none. */
export function Rows<T>({ list, empty, children }: RowsProps<T>) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  if (data === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={() => void refetch()} />
  const rows = data.pages.flat()
  if (rows.length === 0) return <div className="empty">{empty}</div>
  return (
    <>
      {children(rows)}
      {hasNextPage && (
        <button type="button" className="plain" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Wait …' : 'Show more'}
        </button>
      )}
    </>
  )
}

export function Loading() {
  const isOnline = useOnline()
  return (
    <p className="loading quiet" role="status">
      {isOnline ? 'Loading …' : 'Waiting for a connection …'}
    </p>
  )
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const requestId = error instanceof ApiFailure ? error.requestId : null
  return (
    <div className="error" role="alert">
      <p>{explain(error)}</p>
      {requestId !== null && <p className="quiet">Request {requestId}</p>}
      <button type="button" className="plain small" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}
