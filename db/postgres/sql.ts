import type postgres from 'postgres'

export type Pool = postgres.Sql<{ bigint: number }>
export type Tx = postgres.TransactionSql<{ bigint: number }>
/** A pool or a transaction on it: what every query takes as its first argument. */
export type Db = Pool | Tx
