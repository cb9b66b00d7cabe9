import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Built } from '../../../dev/commands/build.ts'
import { machineEnvironment } from '../../crash/cluster/parts.ts'
import { startApiProcess, startWorkerProcess } from '../../crash/processes.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { files, lines, tool } from './echoes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const sources = [
  'api',
  'workers',
  'workflows',
  'activities',
  'providers',
  'db',
  'domain',
  'engine',
  'config',
  'content',
  'dev',
  'web',
  'client',
  'patches',
]
const loose = [
  'config.ts',
  'lifetime.ts',
  'waiting.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'README.md',
]
const run = promisify(execFile)

/** A copy of the sources for each attempt: the test changes them. */
let folder: string
let world: World
beforeEach(async () => {
  // Beneath the root, where the packages are found.
  await mkdir(join(root, 'dist'), { recursive: true })
  folder = await mkdtemp(join(root, 'dist', 'capability-'))
  for (const path of [...sources, ...loose]) await cp(join(root, path), join(folder, path), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  world = await createWorld({ worker: false })
})
afterEach(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const addLine = async ({ file, line, before, imported }: (typeof lines)[number]): Promise<void> => {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8')
  expect(text.split(before), `${file} has one: ${before}`).toHaveLength(2)
  const added = text.replace(before, () => `${line}\n${before}`)
  await writeFile(path, imported === undefined ? added : `${imported}\n${added}`)
}

const inCopy = (...command: string[]) =>
  run(process.execPath, command, {
    cwd: folder,
    env: { ...machineEnvironment(), DATABASE_URL: world.applicationUrl, DATABASE_MIGRATION_URL: world.databaseUrl },
  })

test('a capability and a tool are there with their own files and the lines that the layers page names', async () => {
  for (const [path, text] of Object.entries({ ...files, [tool.path]: tool.text })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text.trimStart())
  }
  for (const line of [...lines, tool.line]) await addLine(line)
  const page = await readFile(join(root, 'docs/architecture/layers.md'), 'utf8')
  for (const { file } of lines) expect(page).toMatch(new RegExp(`\\| \`${file}\` +\\|`))
  expect(lines.length).toBeLessThanOrEqual(6)
  expect(page).toContain(`\`${tool.line.file}\``)

  await inCopy('dev/bootstrap.mjs', 'build')
  await inCopy('dist/migrate.js')
  const dist = join(folder, 'dist')
  const built: Built = {
    server: join(dist, 'server.js'),
    worker: join(dist, 'worker.js'),
    workflowBundle: join(dist, 'workflows.js'),
  }
  const [worker, api] = await Promise.all([
    startWorkerProcess(world, {}, built),
    startApiProcess(world, { built, settings: { ECHO_TIMES: '3' } }),
  ])
  const { key } = await world.makeAccount()
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${api.baseUrl}${path}`, { method, headers, ...sent })
    expect(response.ok, await response.clone().text()).toBe(true)
    return (await response.json()) as T
  }
  const { runId } = await ask<{ runId: string }>('POST', '/api/echoes', { text: 'hello' })
  const output = await eventually('the echo', async () => {
    const { runs } = await ask<{ runs: { status: string; output: unknown }[] }>('GET', `/api/tasks/runs?runId=${runId}`)
    return runs[0]?.status === 'COMPLETED' ? runs[0].output : undefined
  })
  expect(output).toEqual({ echo: 'hello hello hello' })
  await eventually('the sweep', async () => ((await world.db`select 1 from echoes`).length === 0 ? true : undefined))
  const { tags, paths } = await ask<{ tags: { name: string }[]; paths: object }>('GET', '/openapi.json')
  expect(tags.map(({ name }) => name)).toContain('Echoes')
  expect(Object.keys(paths)).toContain('/api/echoes')
  const audited = await eventually(
    'the audit',
    async () => (await world.db`select action from audit_log where object = ${runId}`)[0],
  )
  expect(audited).toBeDefined()

  const made = await ask<{ session: { id: string }; chat: { id: string } }>('POST', '/api/sessions', {
    title: 'Echoes',
  })
  await ask('POST', '/api/sandbox', { sessionId: made.session.id })
  const content = '@call echo {"text":"hello"}'
  const turn = await fetch(`${api.baseUrl}/api/chat`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      sessionId: made.session.id,
      chatId: made.chat.id,
      messages: [{ id: randomUUID(), role: 'user', content }],
    }),
  })
  expect(await turn.text()).toContain('"output":{"success":true,"echo":"hello hello"}')
  await Promise.all([worker.stop(), api.stop()])
})
