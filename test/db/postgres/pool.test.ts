import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../../../db/postgres/client.ts'

test('consecutive queries use one connection', async () => {
  const db = connect({ url: inject('applicationUrl'), max: 3, name: 'backline test of a pool' })
  onTestFinished(() => db.end({ timeout: 1 }))
  await Promise.all([1, 2, 3].map(() => db`select pg_sleep(0.1)`))
  const sessions = new Set<number>()
  for (let query = 0; query < 6; query++) {
    const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
    sessions.add(row!.pid)
  }
  expect(sessions.size).toBe(1)
})
