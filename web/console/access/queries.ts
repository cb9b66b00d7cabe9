import { QueryClient } from '@tanstack/react-query'
import { ApiClientError } from './failure.ts'

/** Query client: data is fresh for five seconds; server and network errors are retried, and refusals (4xx) are not. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        gcTime: 5 * 60_000,
        retry: (count, error) => count < 2 && !isRefusal(error),
        retryDelay: (count) => Math.min(8000, 500 * 2 ** count),
      },
      mutations: { retry: false },
    },
  })
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiClientError && error.status < 500
}
