import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './failure.ts'

/** What was read stays fresh for a moment; what was refused is not asked again, what failed on the way is. */
export function createQueries(): QueryClient {
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
  return error instanceof ApiFailure && error.status < 500
}
