import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../dev/stack/ports.ts'
import { loopback } from '../world/loopback.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

/** Starts the built server in a separate process. */
const startServer = (settings: Record<string, string>) => {
  const child = spawn(process.execPath, [inject('built').server], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const exited = new Promise<{ code: number | null; output: string; errors: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output, errors })),
  )
  return { child, exited }
}

const createSettings = (port: number): Record<string, string> => ({
  PORT: String(port),
  DATABASE_URL: world.applicationUrl,
  TEMPORAL_ADDRESS: world.temporalAddress,
  TASK_QUEUE: world.taskQueue,
  SERVER_SECRET: world.config.SERVER_SECRET ?? '',
  DATA_DIR: world.config.DATA_DIR,
})

const untilServing = (port: number) =>
  eventually(
    'a response',
    () =>
      fetch(`http://127.0.0.1:${port}/api/accounts/id`).then(
        // The status is 503 until Postgres responds, then 401 for a request without a key.
        (response) => (response.status === 401 ? true : undefined),
        () => undefined,
      ),
    30_000,
  )

test('each invalid setting is reported in one sentence', async () => {
  const { code, errors } = await startServer({ PORT: 'x', SERVER_SECRET: 'short' }).exited
  expect(code).toBe(1)
  expect(errors).toMatch(/^PORT: .+\.\nSERVER_SECRET: .+\.\n$/)
  const missing = await startServer({ PORT: '1' }).exited
  expect([missing.code, missing.errors]).toEqual([1, 'SERVER_SECRET is required to run an API on its own.\n'])
})

test('a port in use at a loopback address is reported in one sentence with its setting', async () => {
  const host = loopback.at(-1) === '[::1]' ? '::1' : '127.0.0.1'
  const other = createServer().listen(0, host)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, errors } = await startServer(createSettings(port)).exited
  expect([code, errors]).toEqual([1, `Port ${port} is taken: set PORT to a free one.\n`])
})

test('the server exits on a signal and when its parent process ends', async () => {
  for (const end of ['signal', 'parent']) {
    const port = await freePort()
    const parent: Record<string, string> = end === 'parent' ? { BACKLINE_PARENT_PIPE: '1' } : {}
    const { child, exited } = startServer({ ...createSettings(port), ...parent })
    await untilServing(port)
    for (const host of [...loopback, 'localhost'])
      expect([host, (await fetch(`http://${host}:${port}/healthz`)).status]).toEqual([host, 200])
    if (end === 'parent') child.stdin.end()
    else child.kill('SIGTERM')
    expect([end, (await exited).code]).toEqual([end, 0])
  }
})

test('while Temporal is down, the server starts and reports the failed check, and its logs contain no credentials', async () => {
  const port = await freePort()
  const { child, exited } = startServer({
    ...createSettings(port),
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    LOG_LEVEL: 'trace',
  })
  await untilServing(port)
  const { id, key } = await world.makeAccount()
  const read = await fetch(`http://127.0.0.1:${port}/api/accounts/id`, {
    headers: { 'x-api-key': key, 'x-request-id': 'mine' },
  })
  expect(await read.json()).toMatchObject({ accountId: id })
  const created = await fetch(`http://127.0.0.1:${port}/api/keys`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"key_name":"new"}',
  })
  const { key: newKey } = (await created.json()) as { key: string }
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { postgres: 'ok', temporal: 'failed' } }])
  child.kill('SIGTERM')
  const { code, output, errors } = await exited
  expect(code, output + errors).toBe(0)
  const line = output.split('\n').find((text) => text.includes('"requestId":"mine"')) ?? '{}'
  expect(JSON.parse(line)).toMatchObject({
    method: 'GET',
    route: '/api/accounts/id',
    status: 200,
    accountId: id,
    msg: 'request',
  })
  expect(output).not.toContain(key)
  expect(output).not.toContain(newKey)
})
