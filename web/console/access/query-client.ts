import { QueryClient } from '@tanstack/react-query'
import { ApiClientError } from './failure.ts'

/** Creates a query client. Data stays fresh for five seconds. Server and network errors are retried; 4xx errors are not. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        gcTime: 5 * 60_000,
        retry: (count, error) => count < 2 && !isClientError(error),
        retryDelay: (count) => Math.min(8000, 500 * 2 ** count),
      },
      mutations: { retry: false },
    },
  })
}

function isClientError(error: unknown): boolean {
  return error instanceof ApiClientError && error.status < 500
}
