import type { Pool, Tx } from './client.ts'

type Result = unknown[]
type Query = { resolve: (result: Result) => void }

const isQuery = (value: unknown): value is Query =>
  typeof value === 'object' && value !== null && 'resolve' in value && typeof value.resolve === 'function'

const withoutHole = (result: Result): Result => {
  if (result.length > 0 && !(0 in result)) result.splice(0, result.length - Object.keys(result).length)
  return result
}

const guard = <T>(query: T): T => {
  if (!isQuery(query)) return query
  const { resolve } = query
  query.resolve = (result) => resolve(Array.isArray(result) ? withoutHole(result) : result)
  return query
}

/**
 * Guards against a defect of the driver: after a query that fails midway through its rows, the next result on that
 * connection begins with as many holes as rows had come, so that its first row seems to be absent.
 */
export const withWholeResults = <S extends Pool | Tx>(sql: S): S =>
  new Proxy(sql, {
    apply: (target, _self, args: unknown[]) => guard(Reflect.apply(target as never, undefined, args)),
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (name === 'unsafe' && typeof member === 'function')
        return (...args: unknown[]) => guard(Reflect.apply(member, target, args) as unknown)
      if ((name === 'begin' || name === 'savepoint') && typeof member === 'function')
        return (...args: unknown[]) =>
          Reflect.apply(
            member,
            target,
            args.map((arg) =>
              typeof arg === 'function' ? (tx: Tx) => Reflect.apply(arg, undefined, [withWholeResults(tx)]) : arg,
            ),
          )
      return member
    },
  })
