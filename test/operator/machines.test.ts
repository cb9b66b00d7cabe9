import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi } from '../../api/start.ts'
import type { Config } from '../../config.ts'
import { raiseEpoch } from '../../db/deployment.ts'
import { listMachines } from '../../db/operator/machines.ts'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { describeMachines } from '../../dev/stack/describe-machines.ts'
import { readMachineId } from '../../providers/machine-id.ts'
import { cloneDatabase, createWorld, type World } from '../world/world.ts'

let world: World
let otherDataDir: string
beforeAll(async () => {
  otherDataDir = await mkdtemp(join(tmpdir(), 'backline-machine-'))
  world = await createWorld({ worker: false })
})
afterAll(async () => {
  await world.close()
  await rm(otherDataDir, { recursive: true })
})

type StartOptions = { settings?: Partial<Config>; databaseUrl?: string; taskQueue?: string }

/** Starts another API and closes it immediately. */
const start = async ({
  settings,
  databaseUrl = world.applicationUrl,
  taskQueue = world.taskQueue,
}: StartOptions = {}) => {
  const { temporalAddress, deps } = world
  const config = { ...world.config, ...settings }
  const api = await startApi({ config, databaseUrl, temporalAddress, taskQueue, log: deps.log })
  await api.close()
}

test('all processes of a machine use the machine id that the first process created', async () => {
  const folder = join(otherDataDir, 'new')
  const ids = await Promise.all(Array.from({ length: 8 }, () => readMachineId(folder)))
  expect(new Set(ids).size).toBe(1)
  expect(await readMachineId(folder)).toBe(ids[0])
})

test('a second live machine is rejected while the stores are local, and the doctor reports that machine', async () => {
  await start()
  const sentence =
    /^BLOB_STORE=local and CODE_HOST=local serve one machine, and the machine \S+ also runs this deployment/
  await expect(start({ settings: { DATA_DIR: otherDataDir } })).rejects.toThrow(sentence)
  await expect(start({ settings: { DATA_DIR: otherDataDir, BLOB_STORE: 'vercel' } })).rejects.toThrow(
    /^CODE_HOST=local serves one machine/,
  )
  const shared = { BLOB_STORE: 'vercel', CODE_HOST: 'github', DATA_DIR: otherDataDir } as const
  const other = await startApi({
    config: { ...world.config, ...shared },
    databaseUrl: world.applicationUrl,
    temporalAddress: world.temporalAddress,
    taskQueue: world.taskQueue,
    log: world.deps.log,
  })
  try {
    const config = { ...world.config, DATABASE_URL: world.applicationUrl }
    expect(await describeMachines(config)).toMatchObject({
      state: 'FAIL',
      text: expect.stringContaining('CODE_HOST=local'),
    })
    const settings = { ...shared, SANDBOX_PROVIDER: 'bubblewrap' } as const
    expect(await describeMachines({ ...config, ...settings })).toMatchObject({
      state: 'FAIL',
      text: expect.stringContaining('SANDBOX_PROVIDER=bubblewrap without SANDBOX_ADDRESS serves one machine'),
    })
    expect(await describeMachines({ ...config, ...settings, SANDBOX_ADDRESS: '10.0.0.5:7400' })).toMatchObject({
      state: 'ok',
    })
  } finally {
    await other.close()
  }
})

test('a machine counts as lost if no process holds its lock and its last report is older than 15 seconds', async () => {
  const id = await readMachineId(otherDataDir)
  const readState = async () => (await listMachines(world.db)).find((machine) => machine.id === id)?.state
  expect(await readState()).toBe('silent')
  const setReportAge = (seconds: number) =>
    world.db`update machines set seen_at = now() - make_interval(secs => ${seconds})`
  await setReportAge(14)
  expect(await readState()).toBe('silent')
  await setReportAge(16)
  expect(await readState()).toBe('lost')
  const ownId = await readMachineId(world.config.DATA_DIR)
  expect((await listMachines(world.db)).find((machine) => machine.id === ownId)?.state).toBe('live')
})

test('a copy of the database may not use the task queue until its epoch is raised; from then on, the original may not', async () => {
  const copy = await cloneDatabase()
  const db: Pool = connect({ url: copy.url, max: 1, name: 'test' })
  try {
    await expect(start({ databaseUrl: copy.applicationUrl })).rejects.toThrow(
      /^This database is a copy of the one that uses the task queue test-.* To replace the original instead, stop its processes and run `npm run migrate -- --take-over`\.$/,
    )
    await start({ databaseUrl: copy.applicationUrl, taskQueue: `${world.taskQueue}-copy` })
    await raiseEpoch(db)
    await start({ databaseUrl: copy.applicationUrl })
    await expect(start()).rejects.toThrow(/^A copy of this database has taken over the task queue/)
    await db`update deployment set id = gen_random_uuid()`
    await expect(start({ databaseUrl: copy.applicationUrl })).rejects.toThrow(/belongs to another deployment: set /)
  } finally {
    await db.end()
  }
})
