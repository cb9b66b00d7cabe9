import type postgres from 'postgres'

export type Pool = postgres.Sql<{ bigint: number }>
export type Tx = postgres.TransactionSql<{ bigint: number }>
/** A pool or a transaction: the first argument of every query. */
export type Db = Pool | Tx
