import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from './client.ts'
import { isQuery, type Query } from './driver/guard.ts'
import { isDatabaseUnavailable } from './failures.ts'

const retryDelayMs = 250
/** A check that took longer may be outdated, for example because the process was suspended. */
const freshMs = 1000
const retryTimeoutMs = 5 * 60_000

/** Limits of the retries. `ms` can only shorten the default of five minutes. `signal` aborts the pause before a retry. */
export type RetryLimits = { ms?: number; signal?: AbortSignal }

/**
 * Repeats work that failed because Postgres was unavailable, for up to five minutes, so that a database restart
 * causes a delay and not an error. The commit of a failed attempt may have succeeded, so the work must be safe to run again.
 */
export async function retryWhileDatabaseDown<T>(
  work: () => Promise<T>,
  { ms = retryTimeoutMs, signal }: RetryLimits = {},
): Promise<T> {
  const deadline = performance.now() + Math.min(ms, retryTimeoutMs)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error
      await pause(retryDelayMs, undefined, signal === undefined ? {} : { signal })
    }
  }
}

/**
 * Runs a check before an irreversible step, such as a request to a third party. Repeats a slow check once, because the run
 * may have been stopped or taken over during the check. The check must be safe to repeat.
 */
export async function recheckIfSlow<T>(check: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await check()
  return performance.now() - startedAt < freshMs ? result : check()
}

/**
 * Wraps a pool so that `retryWhileDatabaseDown` covers each query and each transaction. Statements inside a transaction
 * are not repeated separately. `retryLimits` is called when a query or transaction starts.
 */
export function withRetries(pool: Pool, retryLimits: () => RetryLimits): Pool {
  return new Proxy(pool, {
    apply: (target, _self, args: unknown[]) => {
      const build = (): unknown => Reflect.apply(target as never, undefined, args)
      const query = build()
      return isQuery(query) ? retryQuery(query, build as () => Query, retryLimits()) : query
    },
    get: (target, name, receiver): unknown => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (name !== 'begin' || typeof member !== 'function') return member
      return (...args: unknown[]) =>
        retryWhileDatabaseDown(() => Reflect.apply(member, target, args) as Promise<unknown>, retryLimits())
    },
  })
}

/**
 * Retries a query with a copy from `build` while Postgres is unavailable, and settles the original query, which callers may
 * already hold. The driver would settle the original again, without a row after reconnecting and with an error on each
 * failed reconnect. Its handlers are therefore replaced.
 */
function retryQuery(query: Query, build: () => Query, retryLimits: RetryLimits): Query {
  const { resolve, reject } = query
  const runCopy = async () => Object.assign(build(), { isRaw: query.isRaw })
  query.reject = (reason) => {
    Object.assign(query, { resolve: ignore, reject: ignore })
    if (isDatabaseUnavailable(reason)) retryWhileDatabaseDown(runCopy, retryLimits).then(resolve, reject)
    else reject(reason)
  }
  return query
}

function ignore(): void {}
