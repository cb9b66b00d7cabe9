import { isConnectionLost } from '../failures.ts'
import type { Pool, Tx } from '../sql.ts'

type Result = unknown[]
/** Internal form of a query in the driver. */
export type Query = PromiseLike<Result> & {
  resolve: (result: Result) => void
  reject: (error: unknown) => void
  /** Result format: without a value, rows are objects with all columns by name. */
  isRaw?: unknown
  /** Sends the query on the first await. */
  handler: (query: Query) => void
}

/** State of one transaction. */
type TransactionState = { lost: boolean }

export function isQuery(value: unknown): value is Query {
  return typeof value === 'object' && value !== null && 'resolve' in value && typeof value.resolve === 'function'
}

type Scope = (tx: Tx) => unknown

/**
 * Combines both pools and guards against three defects of the driver.
 * 1. After a query fails midway through its rows, the next result on that connection starts with as many empty entries as
 * rows had arrived, so that its first row is missing.
 * 2. A transaction whose connection is lost still sends its rollback or its next query to the closed socket. This throws
 * where the error cannot be caught, and leaves bytes that corrupt the connection later.
 * 3. A BEGIN that fills the pipeline of a connection is rejected after the server has executed it. Later writes on that
 * connection run in a transaction that never ends, and are lost. Transactions therefore have their own connections, on
 * which no BEGIN is pipelined behind another query.
 */
export function withDriverGuard({ queries, transactions }: { queries: Pool; transactions: Pool }): Pool {
  const begin = guardBegin(transactions)
  const end = (options?: { timeout?: number }) =>
    Promise.all([...new Set([queries, transactions])].map((pool) => pool.end(options)))
  return new Proxy(withGuard(queries), {
    get: (target, name, receiver): unknown =>
      name === 'begin' ? begin : name === 'end' ? end : Reflect.get(target, name, receiver),
  })
}

function guardBegin(pool: Pool) {
  return (...args: unknown[]): Promise<unknown> => {
    const state = { lost: false }
    const begin = Reflect.get(pool, 'begin') as (...args: unknown[]) => Promise<unknown>
    const transaction = Reflect.apply(begin, pool, guardScopes(args, state))
    transaction.catch(() => (state.lost = true))
    return transaction
  }
}

function guardScopes(args: unknown[], state: TransactionState): unknown[] {
  return args.map((arg) => (typeof arg === 'function' ? guardScope(arg as Scope, state) : arg))
}

function guardScope(scope: Scope, state: TransactionState): Scope {
  return async (tx) => {
    try {
      const outcome = scope(withGuard(tx, state))
      const value: unknown = await (Array.isArray(outcome) ? Promise.all(outcome) : outcome)
      return state.lost ? await neverSettle() : value
    } catch (error) {
      if (state.lost) return neverSettle()
      throw error
    }
  }
}

function withGuard<S extends Pool | Tx>(sql: S, state?: TransactionState): S {
  return new Proxy(sql, {
    apply: (target, _self, args: unknown[]) => guard(Reflect.apply(target as never, undefined, args), state),
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function') return member
      if (name === 'unsafe') return (...args: unknown[]) => guard(Reflect.apply(member, target, args) as unknown, state)
      if (name !== 'savepoint' || state === undefined) return member
      return (...args: unknown[]) => Reflect.apply(member, target, guardScopes(args, state)) as unknown
    },
  })
}

function guard<T>(query: T, state: TransactionState | undefined): T {
  if (!isQuery(query)) return query
  const { resolve, reject } = query
  query.resolve = (result) => resolve(Array.isArray(result) ? withoutMissingRows(result) : result)
  if (state === undefined) return query
  const { handler } = query
  query.reject = (error) => {
    if (isConnectionLost(error)) state.lost = true
    reject(error)
  }
  query.handler = (sent) => (state.lost ? sent.reject(connectionLost()) : handler(sent))
  return query
}

function withoutMissingRows(result: Result): Result {
  if (result.length > 0 && !(0 in result)) result.splice(0, result.length - Object.keys(result).length)
  return result
}

function connectionLost(): Error {
  return Object.assign(new Error('the connection of this transaction is lost'), { code: 'CONNECTION_CLOSED' })
}

/**
 * Returns a promise that never settles. The driver itself rejects the transaction, and nothing may be sent on the lost
 * connection.
 */
function neverSettle(): Promise<never> {
  return new Promise(() => {})
}
