import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../api/http/limits/shares.ts'
import type { Holder } from '../../api/http/route.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { loopback } from '../world/loopback.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

const openPool = (options: { max: number; sharePercent?: number; countApis?: () => number }) =>
  createPool({ name: 'test', sharePercent: 25, refusals: createMetrics().refusals, ...options })

/** Acquires units until the pool rejects one. Returns their number. */
const acquireAll = (pool: ReturnType<typeof openPool>, holder: Holder): number => {
  for (let count = 0; ; count++) {
    try {
      pool.acquire(holder)
    } catch {
      return count
    }
  }
}

const holderAt = (address: string, callerKey: string): Holder => ({ callerKey, address })

test('a caller may use a quarter of a pool across all addresses', () => {
  const pool = openPool({ max: 1000 })
  expect(['a', 'b', 'c'].map((address) => acquireAll(pool, holderAt(address, 'one')))).toEqual([250, 0, 0])
})

test('a share, unlike the pool, is divided by the current number of API processes', () => {
  let apis = 1
  const pool = openPool({ max: 1000, countApis: () => apis })
  expect(acquireAll(pool, holderAt('a', 'one'))).toBe(250)
  apis = 5
  expect([acquireAll(pool, holderAt('a', 'one')), acquireAll(pool, holderAt('b', 'two'))]).toEqual([0, 50])
  pool.release(holderAt('a', 'one'), 240)
  expect(acquireAll(pool, holderAt('a', 'one'))).toBe(40)
  apis = 1
  expect(acquireAll(pool, holderAt('c', 'three'))).toBe(225)
})

test('the accounts of one address may use less than half of a pool, so that units remain for new accounts', () => {
  const pool = openPool({ max: 1000 })
  expect(['one', 'two', 'three', 'four'].map((callerKey) => acquireAll(pool, holderAt('a', callerKey)))).toEqual([
    250, 125, 62, 31,
  ])
  expect(acquireAll(pool, holderAt('a', 'newcomer'))).toBe(16)
  expect(acquireAll(pool, holderAt('b', 'elsewhere'))).toBe(129)
})

test('units that a caller releases are available to other callers', () => {
  const pool = openPool({ max: 8 })
  expect(acquireAll(pool, holderAt('a', 'one'))).toBe(2)
  pool.release(holderAt('a', 'one'), 2)
  expect([acquireAll(pool, holderAt('a', 'two')), pool.taken]).toEqual([2, 2])
})

test('a rejected move of a unit between callers changes the units of neither caller', () => {
  const pool = openPool({ max: 8 })
  acquireAll(pool, holderAt('a', 'one'))
  pool.acquire(holderAt('a', 'unknown'))
  expect(() => pool.move(holderAt('a', 'unknown'), holderAt('a', 'one'))).toThrow('Too many requests')
  pool.release(holderAt('a', 'unknown'))
  pool.release(holderAt('a', 'one'), 2)
  expect([pool.taken, acquireAll(pool, holderAt('a', 'one'))]).toEqual([0, 2])
})

test.each([
  ['a pool can be unlimited', { max: 0 }, 5000],
  ['a pool can have no shares', { max: 1000, sharePercent: 100 }, 1000],
])('%s', (_, options, expectedCount) => {
  const pool = openPool(options)
  let count = 0
  while (count < expectedCount) {
    pool.acquire(holderAt('a', 'one'))
    count++
  }
  expect(pool.taken).toBe(expectedCount)
})

describe('connections', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({ worker: false, settings: { LIMIT_CONNECTIONS: '16' } })
  })
  afterAll(() => world.close())

  /** Sends a request on a new connection, which stays open. Returns the status. */
  const openConnection = async (localAddress: string, { key }: TestAccount): Promise<number> => {
    const { host, port } = new URL(world.baseUrl)
    const socket = connect({ host: localAddress === '::1' ? '::1' : '127.0.0.1', port: Number(port), localAddress })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    socket.write(`GET /api/sessions HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\n\r\n`)
    const [text] = (await once(socket.setEncoding('latin1'), 'data')) as [string]
    return Number(text.slice(9, 12))
  }

  test('count toward the account that uses them, regardless of the number of addresses', async () => {
    const [many, few] = [await world.makeAccount(), await world.makeAccount()]
    const statuses: number[] = []
    const addresses = ['127.0.0.2', loopback.includes('[::1]') ? '::1' : '127.0.0.3', '127.0.0.4']
    for (const address of [...addresses, ...addresses]) statuses.push(await openConnection(address, many))
    // An account may use a quarter of all connections.
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    expect(await openConnection('127.0.0.9', few)).toBe(200)
  })
})
