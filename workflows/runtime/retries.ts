/**
 * Options of activities that usually take milliseconds: a lost worker delays them by eight seconds. Ending a turn may take ten
 * seconds per attempt.
 */
export const briefActivityOptions = { startToCloseTimeout: '10s', heartbeatTimeout: '8s' } as const

/** Options of activities that use only Postgres. They are retried until they succeed, because their work must not be lost. */
export const databaseActivityOptions = {
  ...briefActivityOptions,
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
} as const
