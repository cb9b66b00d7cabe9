import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type Pool } from '../../../../db/postgres/client.ts'
import { withRetries } from '../../../../db/postgres/retry.ts'
import { waitFor } from '../../../../dev/processes/processes.ts'
import { startProxy, type FaultProxy } from '../../../crash/cluster/proxy.ts'
import { expectSeparateRows } from './lost.ts'

let proxy: FaultProxy
let pool: Pool
beforeAll(async () => {
  const url = new URL(inject('postgresUrl'))
  proxy = await startProxy({ hosts: [url.hostname], port: Number(url.port) })
  url.host = `127.0.0.1:${proxy.port}`
  pool = connect({ url: url.href, max: 1, silenceTimeoutMs: 60_000 })
})
afterAll(async () => {
  await pool.end({ timeout: 1 })
  await proxy.close()
})

test.each([1, 2, 3])('queries directly after a lost query receive their own rows (round %i)', async () => {
  await expectSeparateRows(pool, () => proxy.cut())
})

test.each([1, 2, 3])('a lost query is repeated once and receives its own rows (round %i)', async (round) => {
  const sequence = `asked_${round}`
  await pool`create sequence ${pool(sequence)}`
  proxy.stall()
  const lost = withRetries(pool, () => ({}))`select nextval(${sequence})::int as value`.execute()
  expect(await waitFor(() => proxy.counts().withheld > 0, 5000)).toBe(true)
  proxy.cut()
  proxy.refuse()
  // These queries fail on the lost connection. The last query reconnects.
  for (let failures = 0; failures < 3; failures++) await expect(pool`select 2`).rejects.toThrow()
  proxy.heal()
  expect(await pool`select 3 as value`).toMatchObject([{ value: 3 }])
  expect(await lost).toMatchObject([{ value: 1 }])
  expect(await pool`select nextval(${sequence})::int as value`).toMatchObject([{ value: 2 }])
  await pool`drop sequence ${pool(sequence)}`
})
