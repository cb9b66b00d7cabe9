import { afterAll, beforeAll, inject, test } from 'vitest'
import { connect, type Pool } from '../../../db/postgres/client.ts'
import { startProxy, type FaultProxy } from '../../crash/cluster/proxy.ts'
import { keepsRowsApart } from './lost.ts'

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

test.each([1, 2, 3])('queries that follow a lost one at once get their own rows, time %i', async () => {
  await keepsRowsApart(pool, () => proxy.cut())
})
