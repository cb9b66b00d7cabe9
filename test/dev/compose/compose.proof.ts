import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { freePort } from '../../../dev/stack/ports.ts'
import { readPage, root } from '../../docs/pages.ts'
import { eventually } from '../../world/world.ts'
import { awaitProbe, createEmptyDatabase, createShell, readBlocks } from '../page-commands.ts'
import { readEnvironment, readServices, type Environment } from './compose-file.ts'
import { buildImageFolder } from './production.ts'

/** The blocks of shell commands on the page about Compose. */
const blocks = readBlocks('content/docs/run/compose.md')
const services = readServices()

let folder: string
let shell: ReturnType<typeof createShell>
let image: ReturnType<typeof buildImageFolder>
let apiPort: number
let changes: Environment

/** Returns the environment of a service with the servers and free ports of this machine. */
const toProcessEnvironment = (name: string): Environment => {
  const environment = readEnvironment(services[name] ?? {}, readFileSync(join(folder, '.env'), 'utf8'))
  const changed = Object.entries(changes).filter(([setting]) => setting in environment || setting === 'TASK_QUEUE')
  return { PATH: process.env['PATH'] ?? '', ...environment, ...Object.fromEntries(changed) }
}

const start = (name: string, file: string): void => {
  shell.start([process.execPath, join('dist', file)], { cwd: image.app, env: toProcessEnvironment(name) })
}

/** Runs a health check. Returns its exit code. */
const runCheck = ([, file = '', ...args]: readonly string[]): number | null => {
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(apiPort) }
  const script = args.map((text) => text.replace('8788', changes['HEALTH_PORT'] ?? ''))
  return spawnSync(file, script, { env }).status
}

beforeAll(async () => {
  image = buildImageFolder()
  folder = mkdtempSync(join(tmpdir(), 'backline-compose-'))
  shell = createShell(folder)
  const database = await createEmptyDatabase('compose')
  apiPort = await freePort()
  const baseUrl = `http://localhost:${apiPort}`
  changes = {
    DATABASE_MIGRATION_URL: database.select(inject('postgresUrl')),
    DATABASE_URL: database.select(inject('applicationUrl')),
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TASK_QUEUE: database.name,
    DATA_DIR: join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    HEALTH_PORT: String(await freePort()),
    API_URL: baseUrl,
    BASE_URL: baseUrl,
    WORKFLOW_BUNDLE: join(image.app, 'dist/workflows.js'),
  }
  shell.replaceProgram(
    'docker',
    `case "$*" in
  'compose up -d --build --wait') touch up ;;
  'compose exec api '*) shift 3; set -a; . ./api.env; cd '${image.app}'; exec "$@" ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac
`,
  )
})

afterAll(async () => {
  await shell.close()
  rmSync(folder, { recursive: true, force: true })
  image.close()
})

// A retry is not possible, because the processes of the first attempt use the ports.
it(
  'the documented commands start a production deployment without providers and run a turn with its first key',
  { retry: 0 },
  async () => {
    const [start1 = '', key1 = '', turn1 = ''] = blocks
    await shell.run(start1)
    expect(existsSync(join(folder, 'up'))).toBe(true)

    const migrated = spawnSync(process.execPath, ['dist/migrate.js'], {
      cwd: image.app,
      env: toProcessEnvironment('migrate'),
      encoding: 'utf8',
    })
    expect({ status: migrated.status, stderr: migrated.stderr }).toEqual({ status: 0, stderr: '' })
    start('api', 'server.js')
    start('worker', 'worker.js')
    const dockerfile = readPage('Dockerfile')
    const apiCheck = JSON.parse(/^ {2}CMD (\[.*)$/m.exec(dockerfile)?.[1] ?? '[]') as string[]
    for (const [port, check] of [
      [changes['PORT'], ['CMD', ...apiCheck]],
      [changes['HEALTH_PORT'], services['worker']?.healthcheck?.test ?? []],
    ] as const) {
      await awaitProbe(`http://127.0.0.1:${port}/readyz`)
      expect(runCheck(check)).toBe(0)
    }

    const api = toProcessEnvironment('api')
    writeFileSync(
      join(folder, 'api.env'),
      Object.entries(api)
        .filter(([name]) => name !== 'PATH')
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
    )
    const [key = '', link = ''] = (await shell.run(key1)).split('\n')
    expect(key).toMatch(/^sk_\S{43}$/)

    const accepted = await shell.run(
      turn1.replace(/^BASE=.*$/m, `BASE=${changes['BASE_URL']}`).replace(/^KEY=sk_\.\.\..*$/m, `KEY=${key}`),
    )
    const { runId } = JSON.parse(accepted) as { runId: string }
    const get = async (path: string) => fetch(`${changes['BASE_URL']}${path}`, { headers: { 'x-api-key': key } })
    await eventually('the end of the run', async () => {
      const { status } = (await (await get(`/api/chat/runs/${runId}`)).json()) as { status: string }
      return status === 'completed' ? true : undefined
    })

    const opened = await fetch(link.replace('Console: ', ''))
    expect([opened.status, opened.headers.get('set-cookie') !== null]).toEqual([200, true])
    const refused = await fetch(`${changes['BASE_URL']}/api/music`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'calm piano', lyrics: 'la' }),
    })
    expect([refused.status, await refused.json()]).toEqual([
      404,
      { status: 'error', error: 'Not available in this deployment: RENDER_PROVIDER is set to none' },
    ])
    expect((await get('/api/music')).status).toBe(200)
  },
)

it('containers of the image have a read-only root file system', () => {
  expect(['migrate', 'api', 'worker'].map((name) => services[name]?.read_only)).toEqual([true, true, true])
})

it('the image has a base with a digest and fewer than 140 MB of own files', () => {
  const bases = readFileSync(join(root, 'Dockerfile'), 'utf8').match(/^FROM .*/gm)
  for (const base of bases ?? []) expect(base).toMatch(/^FROM \S+@sha256:[0-9a-f]{64}( AS \w+)?$/)
  expect(new Set(bases?.map((base) => base.split(' ')[1])).size).toBe(1)
  const paths = readdirSync(image.app, { recursive: true, encoding: 'utf8' })
  const files = paths.map((path) => statSync(join(image.app, path))).filter((stats) => stats.isFile())
  expect(files.reduce((sum, { size }) => sum + size, 0) / 1e6).toBeLessThan(140)
})
