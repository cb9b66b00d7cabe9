import type { Db, Pool } from '../../postgres/client.ts'
import * as cards from './cards.ts'
import * as customers from './customers.ts'
import * as events from './events.ts'
import * as payments from './payments.ts'
import * as sessions from './sessions.ts'
import * as subscriptions from './subscriptions.ts'

type BoundQueries<QueryMap> = {
  [Name in keyof QueryMap]: QueryMap[Name] extends (db: Db, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never
}

const queries = { ...customers, ...cards, ...sessions, ...payments, ...subscriptions, ...events }
type Rows = BoundQueries<typeof queries>

/** Storage of the embedded payment provider. */
export function createProviderStore(db: Pool) {
  return {
    ...bind(db),
    begin: <T>(work: (rows: Rows) => Promise<T>): Promise<T> => db.begin((tx) => work(bind(tx))) as Promise<T>,
  }
}

function bind(db: Db): Rows {
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [
      name,
      (query as (db: Db, ...rest: unknown[]) => unknown).bind(null, db),
    ]),
  ) as Rows
}
