import { Alert, Button, Skeleton, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import IconInbox from '@tabler/icons-react/icons/IconInbox'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiClientError, explain, findRemedy } from '../access/failure.ts'
import { useOnline } from '../shell/online.ts'
import { Page, Section } from './page.tsx'
import { RemedyLink } from './remedy-link.tsx'

type LoadedProps<T> = {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
  /** Shown instead of an empty list. */
  empty?: ReactNode
}

/** Shows the data of a query, or its state: loading, failed or offline. Old data stays visible while it is refetched. */
export function Loaded<T>({ query: { data, error, refetch }, children, empty }: LoadedProps<T>) {
  if (empty !== undefined && Array.isArray(data) && data.length === 0) return <p className="empty">{empty}</p>
  if (data !== undefined) return children(data)
  return error === null ? <Loading /> : <Failed error={error} onRetry={() => void refetch()} />
}

/** Page whose children set the title. Shows `title` until the data is loaded. */
export function LoadedPage<T>({ title, query, children }: LoadedProps<T> & { title: string }) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Page title={title}>
      <Loaded query={query}>{children}</Loaded>
    </Page>
  )
}

/** Section with the data of a query. */
export function LoadedSection<T>({ title, ...loaded }: LoadedProps<T> & { title: string }) {
  return (
    <Section title={title}>
      <Loaded {...loaded} />
    </Section>
  )
}

export type List<T> = UseInfiniteQueryResult<InfiniteData<T[]>>

type RowsProps<T> = { list: List<T>; empty: ReactNode; children: (rows: T[]) => ReactNode }

/** Rows of a paginated list, with a button that loads more, or `empty` if there are none. */
export function Rows<T>({ list, empty, children }: RowsProps<T>) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  if (data === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={() => void refetch()} />
  const rows = data.pages.flat()
  if (rows.length === 0) return <Empty>{empty}</Empty>
  return (
    <>
      {children(rows)}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

/** Placeholder of an empty list, with a sentence on how to add to it. */
function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="empty">
      <IconInbox aria-hidden size={22} stroke={1.5} />
      <div>{children}</div>
    </div>
  )
}

export function Loading() {
  const isOnline = useOnline()
  return (
    <div className="loading" role="status">
      <Text className="hidden">{isOnline ? 'Loading …' : 'Waiting for a connection …'}</Text>
      <Skeleton height={14} width="38%" />
      <Skeleton height={14} width="72%" />
      <Skeleton height={14} width="55%" />
    </div>
  )
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const requestId = error instanceof ApiClientError ? error.requestId : null
  const remedy = findRemedy(error)
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={explain(error)} mb="md">
      {requestId !== null && <p className="quiet">Request {requestId}</p>}
      {remedy !== undefined && (
        <p>
          <RemedyLink remedy={remedy} />
        </p>
      )}
      <Button size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  )
}
