import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../../db/postgres/client.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { readPage } from '../../docs/pages.ts'
import { awaitMachine, createMachine, findBlock, page, startMachine, type Machine } from './machine.ts'
import { startServers } from './servers.ts'

let folder: string
let servers: Awaited<ReturnType<typeof startServers>>
let machines: [Machine, Machine]
let key: string

const request = async <T>(path: string, body?: object): Promise<T> => {
  const response = await fetch(servers.loadBalancer.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as T
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backline-fleet-page-'))
  servers = await startServers(folder)
  const create = (name: string): Promise<Machine> => createMachine(join(folder, name), servers.temporalCli)
  machines = [await create('machine-1'), await create('machine-2')]
})

afterAll(async () => {
  await Promise.all(machines.map(({ shell }) => shell.close()))
  await servers.close()
  rmSync(folder, { recursive: true, force: true })
})

// The tests use the same fleet in sequence, so they cannot be retried.
const options = { retry: 0 }

it('the documented commands start two machines, and the API of each machine runs a turn', options, async () => {
  const [first, second] = machines
  await first.shell.run(servers.substitute(findBlock('temporal operator')))
  for (const { shell } of machines) await shell.run(findBlock('npm run build'))
  await first.shell.run(servers.substitute(findBlock('cat > fleet.env')))
  copyFileSync(join(first.folder, 'fleet.env'), join(second.folder, 'fleet.env'))
  await first.shell.run(servers.substitute(findBlock('DATABASE_MIGRATION_URL=')))
  for (const { shell, settings } of machines) await shell.run(settings)
  machines.forEach(startMachine)
  await Promise.all(machines.map(awaitMachine))

  ;[key = ''] = (await first.shell.run(findBlock('dist/key.js'))).split('\n')
  expect(key).toMatch(/^sk_\S{43}$/)
  const check = servers.substitute(findBlock('curl -sSf "$BASE/readyz"')).replace(/^KEY=sk_\.\.\..*$/m, `KEY=${key}`)
  for (const { shell, port } of machines) {
    servers.loadBalancer.setTargets(() => [port])
    expect(await shell.run(check)).toMatch(/"status":"completed".*\n$/)
  }
})

it('a machine with local files does not start, and the documented error names the settings', options, async () => {
  const [{ folder: clone }] = machines
  const { status, stderr } = spawnSync('node', ['--env-file=fleet.env', '--env-file=machine.env', 'dist/server.js'], {
    cwd: clone,
    env: {
      PATH: process.env['PATH'],
      BLOB_STORE: 'local',
      DATA_DIR: join(folder, 'machine-3'),
      PORT: String(await freePort()),
    },
    encoding: 'utf8',
  })
  const [documented] = /^BLOB_STORE=local and .*\n/m.exec(readPage(page)) ?? []
  expect({ status, stderr: stderr.replace(/(?<=the machine )\S+(?= also)/, 'machine-1') }).toEqual({
    status: 1,
    stderr: documented,
  })
})

it(
  'the documented commands move a repository of one machine, with its history, to the object store',
  options,
  async () => {
    const [{ shell }] = machines
    const { accountId } = await request<{ accountId: string }>('/api/accounts/id')
    const { session } = await request<{ session: { id: string } }>('/api/sessions', {})
    const old = join(folder, 'old')
    const substitute = (block: string): string =>
      servers
        .substitute(block)
        .replace('http://localhost:8787/git', old)
        .replace(/^KEY=.*$/m, `KEY=${key}`)
        .replace(/^ACCOUNT=.*$/m, `ACCOUNT=${accountId}`)

    // As in a restored dump: workspace_repositories lists a repository that the object store does not contain.
    const db = connect({ url: servers.ownerUrl, max: 1, name: 'test' })
    await db`delete from git_repositories`
    mkdirSync(join(old, 'workspaces'), { recursive: true })
    writeFileSync(join(old, 'royalties.csv'), 'song,amount\n')
    await shell.run(`cd '${old}'
    git init --quiet --initial-branch=main .
    git add royalties.csv
    git -c user.name=Ada -c user.email=ada@example.com commit --quiet --message 'Add royalties'
    git tag v1
    git clone --quiet --bare . workspaces/${accountId}.git`)

    await shell.run(substitute(findBlock('clone --quiet --bare')))
    await db.unsafe(servers.substitute(findBlock('delete from workspace_repositories', 'sql')))
    await db.end()
    await shell.run(substitute(findBlock('git commit-tree')))

    const { entries } = await request<{ entries: { path: string }[] }>(`/api/sessions/${session.id}/files`)
    expect(entries.map(({ path }) => path)).toEqual(['royalties.csv'])
    const history = await request<{ commits: { message: string }[] }>(
      `/api/sessions/${session.id}/files/history?path=royalties.csv`,
    )
    expect(history.commits.map(({ message }) => message)).toEqual(['Add royalties'])
  },
)
