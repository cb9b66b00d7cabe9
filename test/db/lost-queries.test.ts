import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect } from '../../db/client.ts'
import type { Pool } from '../../db/client.ts'
import { startProxy } from '../crash/cluster/proxy.ts'
import type { FaultProxy } from '../crash/cluster/proxy.ts'

let proxy: FaultProxy
let pool: Pool
beforeAll(async () => {
  const url = new URL(inject('postgresUrl'))
  proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  url.host = `127.0.0.1:${proxy.port}`
  pool = connect({ url: url.href, max: 1, silenceMs: 60_000 })
})
afterAll(async () => {
  await pool.end({ timeout: 1 })
  await proxy.close()
})

const ask = async (value: number): Promise<unknown> => (await pool`select ${value}::int as value`)[0]?.['value']

// The driver hears of the error before it hears of the end: what is asked at once falls in between.
test.each([1, 2, 3])('queries that follow a lost one at once get their own rows, time %i', async () => {
  expect(await ask(0)).toBe(0)
  const lost = pool`select pg_sleep(20)`.execute()
  const first = ask(1)
  proxy.cut()
  await expect(lost).rejects.toThrow()
  const following = [2, 3, 4].map((value) => ask(value))
  await expect(first).rejects.toThrow()
  expect(await Promise.all(following)).toEqual([2, 3, 4])
  expect(await Promise.all([5, 6].map((value) => ask(value)))).toEqual([5, 6])
})
