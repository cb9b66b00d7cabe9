import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool } from '../../../db/postgres/client.ts'
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

/** A process with its lock, and with what it heard of its neighbour. */
const join = async () => {
  const lock = await holdProcessLock(world.databaseUrl)
  const heard = { deaths: 0 }
  const watch = watchNeighbor(world.databaseUrl, lock.processId, () => heard.deaths++)
  return { lock, heard, close: async () => void (await Promise.all([watch.close(), lock.close()])) }
}

/** Keys of the locks that a session waits for. */
const listAwaited = async (): Promise<string[]> => {
  const rows = await db<{ key: string }[]>`
    select ((classid::bigint << 32) + objid::bigint)::text as key from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
  return rows.map(({ key }) => key).sort()
}

const end = (name: string) =>
  db`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`

test('each of three processes is watched by another, and its death is reported once and immediately', async () => {
  const ring = await Promise.all([join(), join(), join()])
  const ids = ring.map(({ lock }) => String(lock.processId)).sort()
  await eventually('each is watched', async () => String(await listAwaited()) === String(ids) || undefined)
  const [first] = ring
  const deaths = (): number => ring.reduce((sum, { heard }) => sum + heard.deaths, 0)
  const dead = String(first?.lock.processId)
  expect(deaths()).toBe(0)

  await first?.lock.close()
  await eventually('a process knows', async () => deaths() > 0 || undefined)
  expect(first?.heard.deaths).toBe(0)
  await first?.close()
  const alive = String(ids.filter((id) => id !== dead))
  await eventually('the others watch each other', async () => String(await listAwaited()) === alive || undefined)
  await Promise.all(ring.slice(1).map(({ close }) => close()))
})

test('a watcher whose own session ended continues', async () => {
  const [one, other] = await Promise.all([join(), join()])
  await eventually('they watch each other', async () => (await listAwaited()).length === 2 || undefined)
  await end(`backline watch ${one.lock.processId}`)
  await other.lock.close()
  await eventually('it knows', async () => one.heard.deaths > 0 || undefined)
  await Promise.all([one.close(), other.close()])
})

test('of two that want a place one gets it, and the other when the first is gone', async () => {
  const [first, elsewhere, second] = ['one', 'two', 'one'].map((name) => openSingletonLock(world.databaseUrl, name))
  if (first === undefined || elsewhere === undefined || second === undefined) throw new Error('no places')
  expect(await findSingletonState(db, process.pid)).toBeUndefined()
  expect(await first.tryTake()).toBe(true)
  expect(await findSingletonState(db, process.pid)).toBe('held')
  await elsewhere.take()
  expect(await second.tryTake()).toBe(false)
  let isTaken = false
  const taking = second.take().then(() => (isTaken = true))
  await eventually('it waits', async () => (await listAwaited()).length === 1 || undefined)
  expect(isTaken).toBe(false)
  await first.close()
  expect(await taking).toBe(true)
  await Promise.all([second.close(), elsewhere.close()])
})
