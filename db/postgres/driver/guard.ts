import { isConnectionLost } from '../failures.ts'
import type { Pool, Tx } from '../sql.ts'

type Result = unknown[]
/** A query as the driver has it within. */
export type Query = PromiseLike<Result> & {
  resolve: (result: Result) => void
  reject: (error: unknown) => void
  /** How the rows are to come: with all their columns by name, without a value. */
  isRaw?: unknown
  /** Sends it, once somebody waits for it. */
  handler: (query: Query) => void
}

/** Of one transaction. */
type Fate = { lost: boolean }

export function isQuery(value: unknown): value is Query {
  return typeof value === 'object' && value !== null && 'resolve' in value && typeof value.resolve === 'function'
}

type Scope = (tx: Tx) => unknown

/**
 * One pool of both, guarded against three defects of the driver. After a query that fails midway through its rows, the
 * next result on that connection begins with as many holes as rows had come, so that its first row seems to be absent. A
 * transaction whose connection is lost would still send its rollback, or its next query, to a socket that is not there:
 * that throws where nobody can catch it, and leaves bytes behind that spoil the connection for later. And a BEGIN that
 * is the last of as many queries as the driver sends ahead over one connection is refused after the server has done it:
 * what is written later over that connection is in a transaction that nobody ends, and lost. So transactions have
 * connections on which there is nothing else: none of them begins behind another query.
 */
export function withDriverGuard({ queries, transactions }: { queries: Pool; transactions: Pool }): Pool {
  const begin = beginIn(transactions)
  const end = (options?: { timeout?: number }) =>
    Promise.all([...new Set([queries, transactions])].map((pool) => pool.end(options)))
  return new Proxy(guarded(queries), {
    get: (target, name, receiver): unknown =>
      name === 'begin' ? begin : name === 'end' ? end : Reflect.get(target, name, receiver),
  })
}

function beginIn(pool: Pool) {
  return (...args: unknown[]): Promise<unknown> => {
    const fate = { lost: false }
    const begin = Reflect.get(pool, 'begin') as (...args: unknown[]) => Promise<unknown>
    const whole = Reflect.apply(begin, pool, scopesOf(args, fate))
    whole.catch(() => (fate.lost = true))
    return whole
  }
}

function scopesOf(args: unknown[], fate: Fate): unknown[] {
  return args.map((arg) => (typeof arg === 'function' ? scopeOf(arg as Scope, fate) : arg))
}

function scopeOf(scope: Scope, fate: Fate): Scope {
  return async (tx) => {
    try {
      const outcome = scope(guarded(tx, fate))
      const value: unknown = await (Array.isArray(outcome) ? Promise.all(outcome) : outcome)
      return fate.lost ? await nothingMore() : value
    } catch (error) {
      if (fate.lost) return nothingMore()
      throw error
    }
  }
}

function guarded<S extends Pool | Tx>(sql: S, fate?: Fate): S {
  return new Proxy(sql, {
    apply: (target, _self, args: unknown[]) => guard(Reflect.apply(target as never, undefined, args), fate),
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function') return member
      if (name === 'unsafe') return (...args: unknown[]) => guard(Reflect.apply(member, target, args) as unknown, fate)
      if (name !== 'savepoint' || fate === undefined) return member
      return (...args: unknown[]) => Reflect.apply(member, target, scopesOf(args, fate)) as unknown
    },
  })
}

function guard<T>(query: T, fate: Fate | undefined): T {
  if (!isQuery(query)) return query
  const { resolve, reject } = query
  query.resolve = (result) => resolve(Array.isArray(result) ? withoutHole(result) : result)
  if (fate === undefined) return query
  const { handler } = query
  query.reject = (error) => {
    if (isConnectionLost(error)) fate.lost = true
    reject(error)
  }
  query.handler = (sent) => (fate.lost ? sent.reject(connectionLost()) : handler(sent))
  return query
}

function withoutHole(result: Result): Result {
  if (result.length > 0 && !(0 in result)) result.splice(0, result.length - Object.keys(result).length)
  return result
}

function connectionLost(): Error {
  return Object.assign(new Error('the connection of this transaction is lost'), { code: 'CONNECTION_CLOSED' })
}

/** The driver learns of the loss from the connection and ends the transaction for its caller; nothing may follow. */
function nothingMore(): Promise<never> {
  return new Promise(() => {})
}
