import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { BuildOutput } from '../../../dev/commands/build.ts'
import { machineEnvironment } from '../../crash/cluster/parts.ts'
import { startApiProcess, startWorkerProcess } from '../../crash/processes.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { startFal } from '../../providers/vendors/fal.ts'
import { serveVendor } from '../../providers/vendors/http.ts'
import { files, lines, tool } from './echoes.ts'
import { jingleFiles, jingleLines } from './jingles.ts'

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
const rootFiles = [
  'config.ts',
  'lifetime.ts',
  'stack-trace.ts',
  'waiting.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'README.md',
]
const run = promisify(execFile)

/** Folder with a copy of the sources, which the test changes. */
let folder: string
let world: World
beforeEach(async () => {
  // Node resolves the packages from a folder inside the root.
  await mkdir(join(root, 'dist'), { recursive: true })
  folder = await mkdtemp(join(root, 'dist', 'capability-'))
  for (const path of [...sources, ...rootFiles]) await cp(join(root, path), join(folder, path), { recursive: true })
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

const runInCopy = (...command: string[]) =>
  run(process.execPath, command, {
    cwd: folder,
    env: { ...machineEnvironment(), DATABASE_URL: world.applicationUrl, DATABASE_MIGRATION_URL: world.databaseUrl },
  })

const falKey = 'key-id:key-secret'

/** Starts a simulated renderer, whose renders the test completes, and a server for their files. */
const startRenderer = async () => {
  const wav = Buffer.concat([Buffer.from('RIFF....WAVEfmt '), Buffer.alloc(1000)])
  const fal = await startFal(falKey)
  const results = await serveVendor(
    async ({ response }) => void response.end(wav),
    () => Promise.resolve(),
  )
  onTestFinished(async () => {
    await fal.close()
    await results.close()
  })
  const settings = {
    RENDER_PROVIDER: 'fal',
    FAL_KEY: falKey,
    FAL_QUEUE_URL: fal.urls.queue,
    FAL_PLATFORM_URL: fal.urls.platform,
    FAL_KEYS_URL: fal.urls.keys,
    ALLOW_PRIVATE_FETCH: 'true',
  }
  return { fal, fileUrl: `${results.url}/jingle`, settings }
}

test('a capability, a paid job and a tool require only new files and the lines that the layers page lists', async () => {
  for (const [path, text] of Object.entries({ ...files, ...jingleFiles, [tool.path]: tool.text })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text.trimStart())
  }
  for (const line of [...lines, ...jingleLines, tool.line]) await addLine(line)
  const page = await readFile(join(root, 'docs/architecture/layers.md'), 'utf8')
  for (const { file } of [...lines, ...jingleLines]) expect(page).toMatch(new RegExp(`\\| \`${file}\` +\\|`))
  expect(lines.length).toBeLessThanOrEqual(6)
  expect(page).toContain(`\`${tool.line.file}\``)

  await runInCopy('dev/bootstrap.mjs', 'build')
  await runInCopy('dist/migrate.js')
  const dist = join(folder, 'dist')
  const built: BuildOutput = {
    server: join(dist, 'server.js'),
    worker: join(dist, 'worker.js'),
    workflowBundle: join(dist, 'workflows.js'),
  }
  const { fal, fileUrl, settings } = await startRenderer()
  const [worker, api] = await Promise.all([
    startWorkerProcess(world, settings, built),
    startApiProcess(world, { built, settings: { ...settings, ECHO_TIMES: '3' } }),
  ])
  const { id: accountId, key } = await world.makeAccount({ credits: 10_000 })
  const sendRequest = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${api.baseUrl}${path}`, { method, headers, ...sent })
    expect(response.ok, await response.clone().text()).toBe(true)
    return (await response.json()) as T
  }
  const { runId } = await sendRequest<{ runId: string }>('POST', '/api/echoes', { text: 'hello' })
  const output = await eventually('the echo', async () => {
    const { runs } = await sendRequest<{ runs: { status: string; output: unknown }[] }>(
      'GET',
      `/api/tasks/runs?runId=${runId}`,
    )
    return runs[0]?.status === 'COMPLETED' ? runs[0].output : undefined
  })
  expect(output).toEqual({ echo: 'hello hello hello' })
  await eventually('the deletion of the echo', async () =>
    (await world.db`select 1 from echoes`).length === 0 ? true : undefined,
  )
  const { tags, paths } = await sendRequest<{ tags: { name: string }[]; paths: object }>('GET', '/openapi.json')
  expect(tags.map(({ name }) => name)).toContain('Echoes')
  expect(Object.keys(paths)).toContain('/api/echoes')
  const audited = await eventually(
    'the audit row',
    async () => (await world.db`select action from audit_log where object = ${runId}`)[0],
  )
  expect(audited).toBeDefined()

  const opened = await sendRequest<{ session: { id: string }; chat: { id: string } }>('POST', '/api/sessions', {
    title: 'Echoes',
  })
  await sendRequest('POST', '/api/sandbox', { sessionId: opened.session.id })
  const content = '@call echo {"text":"hello"}'
  const turn = await fetch(`${api.baseUrl}/api/chat`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      sessionId: opened.session.id,
      chatId: opened.chat.id,
      messages: [{ id: randomUUID(), role: 'user', content }],
    }),
  })
  expect(await turn.text()).toContain('"output":{"success":true,"echo":"hello hello"}')

  const readMoney = async () => {
    const [row] = await world.db`
      select (select coalesce(sum(amount), 0)::int from credit_holds where account_id = ${accountId}) as held,
        (select coalesce(sum(-amount), 0)::int from credit_ledger where account_id = ${accountId} and amount < 0
          and reference like 'jingle:%') as charged`
    return row
  }
  /** Starts a jingle. Returns its id and its render once the renderer has received the request. */
  const startJingle = async () => {
    const { runId: id } = await sendRequest<{ runId: string }>('POST', '/api/jingles', { text: 'a bell' })
    const render = await eventually('the render', async () => {
      const rows = await world.db`select 1 from jingles where run_id = ${id} and state = 'running'`
      return rows.length === 1 ? fal.requests.find(({ input }) => input['client_reference'] === id) : undefined
    })
    return { id, render }
  }
  const untilStatus = (id: string, status: string) =>
    eventually(status, async () => {
      const { runs } = await sendRequest<{ runs: { status: string }[] }>('GET', `/api/tasks/runs?runId=${id}`)
      return runs[0]?.status === status ? runs[0] : undefined
    })

  const made = await startJingle()
  expect(await readMoney()).toEqual({ held: 500, charged: 0 })
  Object.assign(made.render, { state: 'COMPLETED', end: { status: 200, body: { audio: { url: fileUrl } } } })
  const event = Buffer.from(JSON.stringify({ request_id: made.render.id, status: 'OK' }))
  const woken = await fetch(`${api.baseUrl}/api/webhooks/renders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...fal.signWebhook(event, { requestId: made.render.id }) },
    body: event,
  })
  expect(await woken.json()).toEqual({ status: 'success' })
  expect(await untilStatus(made.id, 'COMPLETED')).toMatchObject({ output: { key: `music/${made.id}.wav` } })
  expect(await readMoney()).toEqual({ held: 0, charged: 500 })

  const cancelled = await startJingle()
  await sendRequest('DELETE', `/api/tasks/runs?runId=${cancelled.id}`)
  await untilStatus(cancelled.id, 'CANCELED')
  expect(await readMoney()).toEqual({ held: 0, charged: 500 })
  await eventually('the cancelled render', async () => cancelled.render.isCancelled)

  const lost = await startJingle()
  await world.engine.terminate(lost.id)
  await world.db`update background_runs set status = 'SYSTEM_FAILURE', finished_at = now() where id = ${lost.id}`
  await eventually('the sweep of a lost job', async () => {
    const rows = await world.db`select 1 from jingles where run_id = ${lost.id} and state = 'failed'`
    return rows.length === 1 || undefined
  })
  expect(await readMoney()).toEqual({ held: 0, charged: 500 })
  const { runs } = await sendRequest<{ runs: { id: string; credits: number }[] }>('GET', '/api/runs?kind=render-jingle')
  expect(runs.map(({ id, credits }) => [id, credits])).toEqual([
    [lost.id, 0],
    [cancelled.id, 0],
    [made.id, 500],
  ])
  const consoleFiles = await readdir(join(dist, 'console'), { recursive: true })
  const scripts = await Promise.all(
    consoleFiles.filter((name) => name.endsWith('.js')).map((name) => readFile(join(dist, 'console', name), 'utf8')),
  )
  expect(scripts.join('')).toContain('render-jingle')
  await Promise.all([worker.stop(), api.stop()])
})
