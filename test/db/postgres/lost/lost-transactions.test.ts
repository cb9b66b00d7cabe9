import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type Pool, type Tx } from '../../../../db/postgres/client.ts'
import { isDatabaseUnavailable } from '../../../../db/postgres/failures.ts'
import { retryWhileDatabaseDown } from '../../../../db/postgres/retry.ts'
import { startProxy, type FaultProxy } from '../../../crash/cluster/proxy.ts'

let proxy: FaultProxy
let direct: Pool
let pool: Pool
const thrown: unknown[] = []
const recordThrown = (error: unknown): void => void thrown.push(error)

beforeAll(async () => {
  const url = new URL(inject('postgresUrl'))
  direct = connect({ url: url.href, max: 2 })
  proxy = await startProxy({ hosts: [url.hostname], port: Number(url.port) })
  url.host = `127.0.0.1:${proxy.port}`
  pool = connect({ url: url.href, max: 1, silenceTimeoutMs: 60_000 })
  process.on('uncaughtExceptionMonitor', recordThrown)
})
afterAll(async () => {
  process.off('uncaughtExceptionMonitor', recordThrown)
  await Promise.all([pool.end({ timeout: 1 }), direct.end({ timeout: 1 })])
  await proxy.close()
})

const losses: [string, (pid: number) => Promise<unknown>][] = [
  ['is reset', async () => proxy.cut()],
  ['is ended by the server', (pid) => direct`select pg_terminate_backend(${pid})`],
]

/** Waits until the driver has detected the end of the connection. */
const untilDetected = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await nextTurn()
}

const uses: [string, (tx: Tx, lose: () => Promise<unknown>) => Promise<unknown>][] = [
  [
    'during a query',
    async (tx, lose) => {
      await Promise.all([tx`select pg_sleep(20)`, lose()])
    },
  ],
  [
    'during several queries, one of which is not awaited',
    async (tx, lose) => {
      tx`select 1`.catch(() => {})
      await Promise.all([tx`select pg_sleep(20)`, tx`select 2`, lose()])
    },
  ],
  [
    'before its next query',
    async (tx, lose) => {
      await lose()
      await untilDetected()
      const part = tx`3`
      await tx`select ${part}`
    },
  ],
  [
    'before its commit',
    async (_, lose) => {
      await lose()
      await untilDetected()
    },
  ],
  [
    'within a savepoint',
    async (tx, lose) => {
      await tx.savepoint(async (inner) => Promise.all([inner`select pg_sleep(20)`, lose()]))
    },
  ],
]

const cases = losses.flatMap(([how, lose]) => uses.map(([when, use]) => [how, when, lose, use] as const))

test.each(cases)(
  'a transaction fails if its connection %s %s, and later transactions succeed',
  async (_how, _when, lose, use) => {
    for (let round = 0; round < 3; round++) {
      const failure = await pool
        .begin(async (tx) => {
          const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
          await use(tx, () => lose(row?.pid ?? 0))
        })
        .then(
          () => undefined,
          (error: unknown) => error,
        )
      expect(isDatabaseUnavailable(failure)).toBe(true)
      // As callers do, the test retries, because the driver may report the last server message for the next query.
      const next = await retryWhileDatabaseDown(() => pool.begin(async (tx) => tx`select ${round}::int as round`))
      expect(next).toEqual([{ round }])
    }
    expect(thrown).toEqual([])
  },
)

test('a failed transaction is rolled back, and its connection remains usable', async () => {
  const refusal = new Error('not so')
  await expect(
    pool.begin(async (tx) => {
      await tx`create temporary table kept (n int)`
      throw refusal
    }),
  ).rejects.toBe(refusal)
  await expect(pool`select * from kept`).rejects.toThrow('does not exist')
})
