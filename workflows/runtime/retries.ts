/**
 * For activities that take milliseconds and send heartbeats only when they take longer: a lost worker costs eight seconds.
 * Ending a turn may take ten seconds an attempt.
 */
export const brief = { startToCloseTimeout: '10s', heartbeatTimeout: '8s' } as const

/** For activities that read or write Postgres alone: retried until they succeed, since the work behind them cannot be lost. */
export const storing = { ...brief, retry: { initialInterval: '200ms', maximumInterval: '5s' } } as const
