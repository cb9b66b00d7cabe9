import { QueryClient, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import type { Data, Input, Path } from './calls.ts'
import { ApiClientError } from './failure.ts'

/** Data stays fresh for five seconds. Server and network errors are retried; 4xx errors are not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      gcTime: 5 * 60_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiClientError && error.status < 500),
      retryDelay: (count) => Math.min(8000, 500 * 2 ** count),
    },
    mutations: { retry: false },
  },
})

type Options<Response, T> = Omit<UseQueryOptions<Response, Error, T>, 'queryKey' | 'queryFn'>

/** Query for a GET route. `name`: first element of its key, by which `refresh` finds the query. */
export function useGet<P extends Path<'get'>, T = Data<'get', P>>(
  name: string,
  path: P,
  input: Input<'get', P>,
  options: Options<Data<'get', P>, T> = {},
) {
  const get = api.GET as (path: P, input: Input<'get', P>) => Promise<Data<'get', P>>
  return useQuery({ queryKey: [name, path, input], queryFn: () => get(path, input), ...options })
}

/** Refetches the queries with these names. */
export async function refresh(...names: string[]): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [name] }) => names.includes(String(name)) })
}

/** Returns the response to a change after the queries with these names are refetched. */
export async function refreshAfter<T>(change: Promise<T>, ...names: string[]): Promise<T> {
  const response = await change
  await refresh(...names)
  return response
}
