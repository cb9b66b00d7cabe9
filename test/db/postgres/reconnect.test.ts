import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openListener } from '../../../db/postgres/channels/listener.ts'
import { framesChannel } from '../../../db/postgres/channels/names.ts'
import { createNotifier } from '../../../db/postgres/channels/notify.ts'
import { retryWhileDatabaseDown, withRetries } from '../../../db/postgres/retry.ts'
import { holdProcessLock, isProcessDead } from '../../../db/postgres/process-lock.ts'
import { connect, type Db } from '../../../db/postgres/client.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { startPostgres } from '../../../dev/stack/postgres/server.ts'
import { eventually } from '../../world/world.ts'

let folder: string
let options: Parameters<typeof startPostgres>[0]
let postgres: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-reconnect-'))
  const dataDir = join(folder, 'postgres')
  options = { dataDir, logFile: join(folder, 'log'), port: await freePort(), password: 'test', durable: false }
  postgres = await startPostgres(options)
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const selectOne = (sql: Db) => sql`select ${sql`1 as`} one`

test('wake-ups, the process lock and queries recover after Postgres is killed', async () => {
  const received = new Set<string>()
  let listens = 0
  const listener = openListener(postgres.url, 'test')
  const onPayload = (payload: string) => received.add(payload)
  await listener.listen(framesChannel('before'), { onPayload, onListen: () => listens++ })
  await listener.listen(framesChannel('after'), { onPayload })
  await listener.listen('left', { onPayload })
  listener.unlisten('left')
  const lock = await holdProcessLock(postgres.url)
  const notifier = createNotifier(postgres.url)
  const db = connect({ url: postgres.url, max: 1, name: 'test' })
  notifier.wake('before')
  await eventually('the first wake-up', async () => received.has('before') || undefined)
  expect([lock.held(), lock.settled(), await isProcessDead(db, lock.processId)]).toEqual([true, true, false])

  process.kill(postgres.pid, 'SIGKILL')
  await eventually('the loss of the lock', async () => (lock.held() ? undefined : true))
  const waiting = withRetries(db, () => ({}))
  const pending = Promise.all([selectOne(waiting), selectOne(waiting).raw(), waiting.begin((tx) => selectOne(tx))])
  const caller = new AbortController()
  const limitedQueries = [
    db`select 1`,
    withRetries(db, () => ({ ms: 300 }))`select 1`,
    withRetries(db, () => ({ signal: caller.signal })).begin((tx) => tx`select 1`),
  ]
  const abandoned = Promise.all(limitedQueries.map((query) => expect(query).rejects.toThrow()))
  caller.abort()
  await abandoned
  postgres = await startPostgres(options)

  const [plain, raw, inside] = await pending
  expect([[...plain], [...raw], [...inside]]).toEqual([[{ one: 1 }], [[Buffer.from('1')]], [{ one: 1 }]])
  await expect(waiting`select 1 / 0`).rejects.toThrow('division by zero')
  await eventually('the renewed lock', async () => lock.held() || undefined)
  // A process that has just renewed its lock does not report deaths, because other processes may still be renewing theirs.
  expect(lock.settled()).toBe(false)
  expect(await retryWhileDatabaseDown(() => isProcessDead(db, lock.processId))).toBe(false)
  await eventually('a wake-up after the restart', async () => {
    notifier.wake('after')
    return received.has('after') || undefined
  })
  expect(listens).toBeGreaterThanOrEqual(2)
  await db`select pg_notify('left', 'left')`
  received.delete('before')
  await eventually('a wake-up of each channel', async () => {
    notifier.wake('before')
    return received.has('before') || undefined
  })
  expect(received).not.toContain('left')

  await Promise.all([listener.close(), lock.close(), notifier.close()])
  await eventually('the release of the closed lock', async () => (await isProcessDead(db, lock.processId)) || undefined)
  await db.end()
})

test('queries of a full pool fail or complete within five seconds during and after an outage', async () => {
  const db = connect({ url: postgres.url, max: 10, name: 'test' })
  const runQueries = () =>
    Array.from({ length: 10 }, () => [db`select pg_sleep(0.05)`, db.begin((tx) => tx`select 1`)]).flat()
  await Promise.all(runQueries())
  process.kill(postgres.pid, 'SIGKILL')
  for (let round = 0; round < 4; round++) {
    const requestedAt = performance.now()
    await Promise.allSettled(runQueries())
    expect(performance.now() - requestedAt).toBeLessThan(5000)
  }
  postgres = await startPostgres(options)
  const restartedAt = performance.now()
  await retryWhileDatabaseDown(() => Promise.all(runQueries()))
  expect(performance.now() - restartedAt).toBeLessThan(5000)
  await db.end()
})
