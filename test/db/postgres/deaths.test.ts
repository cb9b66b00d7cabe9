import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool, type Tx } from '../../../db/postgres/client.ts'
import { findSingletonState, openSingletonLock, watchNeighbor } from '../../../db/postgres/deaths.ts'
import { holdProcessLock } from '../../../db/postgres/process-lock.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'

let world: World
let db: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false })
  db = connect({ url: world.databaseUrl, max: 2, name: 'test' })
})
afterAll(async () => {
  await db.end({ timeout: 1 })
  await world.close()
})

/** Opens a process lock and a watch of another process. Returns the lock and the number of reported deaths. */
const startProcess = async () => {
  const lock = await holdProcessLock(world.databaseUrl)
  const noticed = { deaths: 0 }
  const watch = watchNeighbor(world.databaseUrl, lock.processId, { onDeath: () => noticed.deaths++ })
  return { lock, noticed, close: async () => void (await Promise.all([watch.close(), lock.close()])) }
}

/** Lists the keys of the locks that sessions wait for. */
const listAwaited = async (): Promise<string[]> => {
  const rows = await db<{ key: string }[]>`
    select ((classid::bigint << 32) + objid::bigint)::text as key from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
  return rows.map(({ key }) => key).sort()
}

const endSession = (name: string) =>
  db`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`

test('each of three processes is watched by another process, which reports its death once and immediately', async () => {
  const ring = await Promise.all([startProcess(), startProcess(), startProcess()])
  const ids = ring.map(({ lock }) => String(lock.processId)).sort()
  await eventually('a watcher for each process', async () => String(await listAwaited()) === String(ids) || undefined)
  const [first] = ring
  const deaths = (): number => ring.reduce((sum, { noticed }) => sum + noticed.deaths, 0)
  const dead = String(first?.lock.processId)
  expect(deaths()).toBe(0)

  await first?.lock.close()
  await eventually('a noticed death', async () => deaths() > 0 || undefined)
  expect(first?.noticed.deaths).toBe(0)
  await first?.close()
  const alive = String(ids.filter((id) => id !== dead))
  await eventually(
    'the other processes to watch each other',
    async () => String(await listAwaited()) === alive || undefined,
  )
  await Promise.all(ring.slice(1).map(({ close }) => close()))
})

test('a watcher continues to watch after its database session has ended', async () => {
  const [watcher, watched] = await Promise.all([startProcess(), startProcess()])
  await eventually('the processes to watch each other', async () => (await listAwaited()).length === 2 || undefined)
  await endSession(`backline watch ${watcher.lock.processId}`)
  await watched.lock.close()
  await eventually('a noticed death', async () => watcher.noticed.deaths > 0 || undefined)
  await Promise.all([watcher.close(), watched.close()])
})

test('a process that dies while its watcher has no database session is reported', async () => {
  const [watcher, watched] = await Promise.all([startProcess(), startProcess()])
  await eventually('both watches', async () => (await listAwaited()).length === 2 || undefined)
  await Promise.all([endSession(`backline watch ${watcher.lock.processId}`), watched.close()])
  await eventually('a reported death', async () => watcher.noticed.deaths > 0 || undefined)
  await watcher.close()
})

test('each watch round runs in a separate transaction, even in a process that watches no other process', async () => {
  const lock = await holdProcessLock(world.databaseUrl)
  let rounds = 0
  const onRound = async (tx: Tx): Promise<void> => {
    const [row] = await tx`select pg_current_xact_id_if_assigned() as id`
    if (row !== undefined) rounds++
  }
  const watch = watchNeighbor(world.databaseUrl, lock.processId, { onDeath: () => {}, onRound })
  await eventually('two rounds', async () => (rounds > 1 ? true : undefined))
  await Promise.all([watch.close(), lock.close()])
})

test('one of two processes holds a singleton lock, and the other takes it when the first closes it', async () => {
  const [first, otherLock, second] = ['one', 'two', 'one'].map((name) => openSingletonLock(world.databaseUrl, name))
  if (first === undefined || otherLock === undefined || second === undefined)
    throw new Error('the locks were not created')
  expect(await findSingletonState(db, process.pid)).toBeUndefined()
  expect(await first.tryAcquire()).toBe(true)
  expect(await findSingletonState(db, process.pid)).toBe('held')
  await otherLock.acquire()
  expect(await second.tryAcquire()).toBe(false)
  let isTaken = false
  const taking = second.acquire().then(() => (isTaken = true))
  await eventually('the second process to wait', async () => (await listAwaited()).length === 1 || undefined)
  expect(isTaken).toBe(false)
  await first.close()
  expect(await taking).toBe(true)
  await Promise.all([second.close(), otherLock.close()])
})
