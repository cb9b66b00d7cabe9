import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, connectSingle } from '../../db/postgres/client.ts'
import { isDatabaseUnavailable } from '../../db/postgres/failures.ts'
import { startProxy, type FaultProxy } from '../crash/cluster/proxy.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
let proxy: FaultProxy
let url: string
beforeAll(async () => {
  world = await createWorld({ worker: false })
  const direct = new URL(world.databaseUrl)
  proxy = await startProxy({ port: Number(direct.port) })
  direct.port = String(proxy.port)
  url = direct.href
})
afterAll(async () => {
  await proxy.close()
  await world.close()
})

test.each([
  ['pool', () => connect({ url, max: 2, name: 'silence', silenceTimeoutMs: 1000 })],
  ['single connection', () => connectSingle({ url, name: 'silence', silenceTimeoutMs: 1000 })],
])(
  'a %s abandons a connection that falls silent during a query, and continues on a new connection',
  async (_, open) => {
    const db = open()
    try {
      expect([...(await db`select 1 as one`)]).toEqual([{ one: 1 }])
      proxy.stall()
      const failed = await db`select 2 as two`.catch((error: unknown) => error)
      expect(isDatabaseUnavailable(failed)).toBe(true)
      proxy.heal()
      expect([...(await db`select 3 as three`)]).toEqual([{ three: 3 }])
    } finally {
      proxy.heal()
      await db.end({ timeout: 1 })
    }
  },
)

test('a long query that returns before the silence timeout is not interrupted', async () => {
  const db = connect({ url, max: 1, name: 'silence', silenceTimeoutMs: 10_000 })
  try {
    expect([...(await db`select 1 as one from pg_sleep(2)`)]).toEqual([{ one: 1 }])
  } finally {
    await db.end({ timeout: 1 })
  }
})
