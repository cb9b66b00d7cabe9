import { inject, expect, test } from 'vitest'
import { connect, connectSingle } from '../../../db/postgres/client.ts'
import { eventually } from '../../world/world.ts'

const url = inject('postgresUrl')
const key = 4_242_004

test.each([
  ['from a pool', () => connect({ url, max: 1 })],
  ['outside a pool', () => connectSingle({ url, name: 'test presence', silenceTimeoutMs: 60_000 })],
])(
  'a transaction on a connection %s ends when its process ends, although its statement still runs',
  async (_, open) => {
    const doomed = open()
    const others = connect({ url, max: 1 })
    try {
      const isFree = async () => {
        const [row] = await others<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${key}) as free`
        return row?.free === true || undefined
      }
      const lost = doomed.begin((tx) => tx`select pg_advisory_xact_lock(${key}), pg_sleep(25)`)
      lost.catch(() => {})
      await eventually('the lock', async () => ((await isFree()) === undefined ? true : undefined))
      await doomed.end({ timeout: 0 })
      await eventually('the end of the transaction', isFree, 15_000)
      await expect(lost).rejects.toThrow()
    } finally {
      await others.end({ timeout: 1 })
    }
  },
)
