import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from './client.ts'
import { isQuery, type Query } from './driver/guard.ts'
import { isDatabaseAway } from './failures.ts'

const pauseMs = 250
/** An answer that took longer may tell of what was: the process may have stood still with it in its hands. */
const freshMs = 1000
const maxPatienceMs = 5 * 60_000

/** What may end the waiting before five minutes are over. */
export type Patience = { ms?: number; signal?: AbortSignal }

/**
 * Repeats work that failed because Postgres was away, for up to five minutes: a restart of the database costs time and
 * no attempt. The commit of a failed try may have landed, so the work must be safe to run again.
 */
export async function retryWhileDatabaseDown<T>(
  work: () => Promise<T>,
  { ms = maxPatienceMs, signal }: Patience = {},
): Promise<T> {
  const deadline = performance.now() + Math.min(ms, maxPatienceMs)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > deadline) throw error
      await pause(pauseMs, undefined, signal === undefined ? {} : { signal })
    }
  }
}

/**
 * An answer that allows what cannot be taken back, such as a request to somebody outside. One that came late is asked
 * for once more: meanwhile the run may have been stopped, or its work taken over. The question must be safe to repeat.
 */
export async function recheckIfSlow<T>(ask: () => Promise<T>): Promise<T> {
  const askedAt = performance.now()
  const answer = await ask()
  return performance.now() - askedAt < freshMs ? answer : ask()
}

/**
 * The pool with `retryWhileDatabaseDown` around each query and each transaction, so that none can be without. Inside of a
 * transaction nothing is repeated by itself. `patience` is asked when a query or transaction begins.
 */
export function withRetries(pool: Pool, patience: () => Patience): Pool {
  return new Proxy(pool, {
    apply: (target, _self, args: unknown[]) => {
      const build = (): unknown => Reflect.apply(target as never, undefined, args)
      const made = build()
      return isQuery(made) ? retryQuery(made, build as () => Query, patience()) : made
    },
    get: (target, name, receiver): unknown => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (name !== 'begin' || typeof member !== 'function') return member
      return (...args: unknown[]) =>
        retryWhileDatabaseDown(() => Reflect.apply(member, target, args) as Promise<unknown>, patience())
    },
  })
}

/**
 * A query that is sent again, as what `build` makes anew, while Postgres is away. It stays a query: others may hold it. The
 * driver holds it too: once its connection is made anew it would end a lost query a second time, without a row, and as
 * failed at each connection in between that cannot be made.
 */
function retryQuery(query: Query, build: () => Query, patience: Patience): Query {
  const { resolve, reject } = query
  const again = async () => Object.assign(build(), { isRaw: query.isRaw })
  query.reject = (reason) => {
    Object.assign(query, { resolve: nothing, reject: nothing })
    if (isDatabaseAway(reason)) retryWhileDatabaseDown(again, patience).then(resolve, reject)
    else reject(reason)
  }
  return query
}

function nothing(): void {}
