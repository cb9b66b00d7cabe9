import { expect, inject, test } from 'vitest'
import { connect, connectSingle } from '../../../db/postgres/client.ts'
import { toDriverTarget } from '../../../db/postgres/driver/socket.ts'

const url = inject('applicationUrl')

test.each([
  ['pool', () => connect({ url, max: 1, name: 'test socket', silenceTimeoutMs: 10_000 })],
  ['single connection', () => connectSingle({ url, name: 'test socket' })],
])('a %s to the embedded Postgres uses its Unix socket', async (_, open) => {
  const db = open()
  try {
    expect([...(await db`select inet_client_addr()::text as client_address`)]).toEqual([{ clientAddress: null }])
  } finally {
    await db.end({ timeout: 1 })
  }
})

test('a missing Unix socket is reported as an unavailable database', async () => {
  const db = connect({ url: 'postgres://role@localhost/database?host=/absent', max: 1, name: 'test socket' })
  try {
    await expect(db`select 1`).rejects.toMatchObject({ code: 'ENOENT', syscall: 'connect' })
  } finally {
    await db.end({ timeout: 1 })
  }
})

test.each([
  ['postgres://role:secret@localhost:5433/database?host=/run/a%20b', '/run/a b/.s.PGSQL.5433'],
  ['postgres://role@localhost/database?host=/run/postgresql', '/run/postgresql/.s.PGSQL.5432'],
  ['postgres://role@localhost/database?sslmode=require', undefined],
  ['postgres://role@localhost/database?host=example.com', undefined],
])('the socket of %s is %s', (text, path) => {
  const target = toDriverTarget(text)
  expect(target.path).toBe(path)
  if (path !== undefined) expect(target.url).not.toContain('host=')
})
