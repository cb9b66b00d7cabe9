import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createRepositoryLedger } from '../../db/repositories/stored.ts'
import { createSandboxPlaces } from '../../db/sandboxes/places.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { createLifetime } from '../../lifetime.ts'
import { createDiskObjects } from '../../providers/blob/built-in/disk-objects.ts'
import type { CodeHostPort } from '../../providers/code-host/index.ts'
import { createLocalCodeHost } from '../../providers/code-host/local/local.ts'
import { createStoreCodeHost } from '../../providers/code-host/store/store.ts'
import { createFleetClient } from '../../providers/sandbox/fleet/client.ts'
import { createFleetSandboxes } from '../../providers/sandbox/fleet/fleet.ts'
import { serveSandboxes } from '../../providers/sandbox/fleet/server.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { createLocalSandboxes } from '../../providers/sandbox/local/local.ts'
import {
  compare,
  describeMedians,
  measureDifference,
  measureMs,
  measurePerCall,
  measureRatio,
  type Bench,
  type Row,
} from '../measure.ts'
import type { Stack } from '../stack/stack.ts'

const log = pino({ level: 'silent' })
const limits = { timeoutMs: 60_000, maxOutputBytes: 100_000 }
const options = { timeoutMs: 3_600_000, gitIdentity: { name: 'bench', email: 'bench@localhost' } }
const resolveNetwork = () => ({ services: [] })
const commitsPerRound = 10

/** Measures what a fleet adds to the work of one machine: calls between machines, and repositories in the object store. */
export const fleet: Bench = {
  name: 'fleet',
  run: async (stack, { quick }) => {
    const { register, close } = createLifetime()
    try {
      const root = await mkdtemp(join(tmpdir(), 'backline-bench-fleet-'))
      register(root, (path) => rm(path, { recursive: true, force: true }))
      const { forwarded, direct } = await openSandbox(stack, root, register)
      return [
        ...(await measureForwarding(forwarded, direct, quick)),
        ...(await measureRepositories(stack, root, quick)),
      ]
    } finally {
      await close()
    }
  },
}

type Register = ReturnType<typeof createLifetime>['register']

/** Creates a sandbox and opens it on the machine that has its files and on another machine, which connects over TLS. */
async function openSandbox(
  { db }: Stack,
  root: string,
  register: Register,
): Promise<{ forwarded: Sandbox; direct: Sandbox }> {
  const key = { secret: 'a secret of the bench', deployment: 'bench/1/bench' }
  const address = `127.0.0.1:${await freePort()}`
  const [owner, caller] = [randomUUID(), randomUUID()]
  await db`
    insert into machines (id, address, build, sandbox_address)
    values (${owner}, 'owner', 'bench', ${address}), (${caller}, 'caller', 'bench', null)`
  const openMachine = async (machine: string, folder: string) => {
    const local = await createLocalSandboxes({ root: join(root, folder), provider: 'auto', log })
    const { exchange } = register(createFleetClient(key), async (client) => client.close())
    return {
      local,
      port: createFleetSandboxes({ local, machine, places: createSandboxPlaces(db, machine), exchange, log }),
    }
  }
  const [own, other] = [await openMachine(owner, 'owner'), await openMachine(caller, 'caller')]
  const server = await serveSandboxes({ local: own.local, machine: owner, key, address, resolveNetwork, log })
  register(server, (server) => server.close(0))
  const direct = register(await own.port.create({ ...options, name: 'bench' }), (sandbox) => sandbox.destroy())
  return { direct, forwarded: await other.port.create({ ...options, name: 'bench' }) }
}

async function measureForwarding(forwarded: Sandbox, direct: Sandbox, quick: boolean): Promise<Row[]> {
  await direct.writeFiles([{ path: 'read', content: 'a line of some length\n'.repeat(100) }])
  const measure = async (name: string, work: (sandbox: Sandbox) => Promise<unknown>): Promise<Row> => {
    const measureSide = (sandbox: Sandbox) => () => measurePerCall(quick ? 10 : 50, () => work(sandbox))
    const measured = await compare({
      rounds: quick ? 3 : 9,
      ours: measureSide(forwarded),
      control: measureSide(direct),
    })
    return {
      name: `${name} in a sandbox of another machine: added time`,
      unit: 'ms',
      ...measureDifference(measured),
      aim: { atMost: 3 },
      how: 'minus the same call on the machine of the sandbox, alternated; both machines are on this host',
      detail: describeMedians(measured, 'on its machine'),
    }
  }
  return [
    await measure('a command', (sandbox) => sandbox.exec('true', limits)),
    await measure('a file read', (sandbox) => sandbox.readFile('read', { maxBytes: 1_000_000 })),
  ]
}

async function measureRepositories({ db }: Stack, root: string, quick: boolean): Promise<Row[]> {
  const baseUrl = 'https://api.example/'
  const openStore = (folder: string) =>
    createStoreCodeHost({
      root: join(root, folder),
      baseUrl,
      maxCacheBytes: 1024 ** 3,
      objects: createDiskObjects(join(root, 'objects')),
      ledger: createRepositoryLedger(db),
    })
  const [store, otherStore] = [openStore('store'), openStore('other-store')]
  const local = createLocalCodeHost({ root: join(root, 'local'), baseUrl })
  const repository = await store.ensureRepository('bench')
  await local.ensureRepository('bench')
  let serial = 0
  const commit = (host: CodeHostPort) => {
    const path = `file-${++serial}`
    return host.writeFile(repository, { path, content: Buffer.from(path), message: `Write ${path}` })
  }
  const rounds = quick ? 3 : 9
  const committing = await compare({
    rounds,
    ours: () => measurePerCall(commitsPerRound, () => commit(store)),
    control: () => measurePerCall(commitsPerRound, () => commit(local)),
  })
  const reading = await compare({
    rounds,
    ours: () => measureMs(() => otherStore.readTree(repository)),
    control: () => measureMs(() => local.readTree(repository)),
  })
  const row = (name: string, measured: typeof reading, how: string): Row => ({
    name,
    unit: 'x',
    ...measureRatio(measured),
    how,
    detail: describeMedians(measured, '`local`'),
  })
  const comparison = 'code host `store` relative to `local`, alternated; the object store is a folder'
  return [
    row('a commit of one file', committing, comparison),
    row(
      'the files of a repository, read on another machine',
      reading,
      `${comparison}; the cache of the machine has the packs`,
    ),
  ]
}
