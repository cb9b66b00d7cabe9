import { readdir, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createChatApi, userMessage } from '../chat/chat-api.ts'
import { startWorkerHere, startWorkerProcess } from '../crash/processes.ts'
import { listFaults, readTranscript } from '../world/transcript.ts'
import { giveSandbox } from '../world/sessions/session-rows.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { openLog } from './log.ts'
import { watching } from './numbers.ts'
import { upTo } from './readers/reader.ts'

/** Number of runs accepted at the same time. */
const burst = Number(process.env['PRESSURE_RUNS'] ?? 24)
const deadlineMs = 120_000 + burst * 1000

vi.setConfig({ testTimeout: deadlineMs + 60_000 })

const readStat = async (pid: string): Promise<{ parent: string; kilobytes: number } | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  if (status === undefined) return undefined
  return {
    parent: /^PPid:\s+(\d+)/m.exec(status)?.[1] ?? '',
    kilobytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0),
  }
}

/** Memory of a process and of everything that it has started, and how many these are. */
const measureMemory = async (root: number): Promise<{ own: number; all: number; processes: number }> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = new Map<string, { parent: string; kilobytes: number }>()
  for (const pid of pids) {
    const stat = await readStat(pid)
    if (stat !== undefined) stats.set(pid, stat)
  }
  const family = new Set([String(root)])
  for (let size = 0; size !== family.size;) {
    size = family.size
    for (const [pid, { parent }] of stats) if (family.has(parent)) family.add(pid)
  }
  const bytes = [...family].map((pid) => (stats.get(pid)?.kilobytes ?? 0) * 1024)
  return { own: bytes[0] ?? 0, all: bytes.reduce((sum, size) => sum + size, 0), processes: family.size }
}

const prompt = '$ true\n---\n@say done'

const startRuns = async (world: World, account: TestAccount, count: number): Promise<void> => {
  const body = { prompt }
  const accepted = await Promise.all(
    upTo(count).map(() => world.request('POST', '/api/chat/runs', { key: account.key, body })),
  )
  expect(accepted.map(({ status }) => status)).toEqual(upTo(count).map(() => 202))
}

const liveRuns = async (world: World, account: TestAccount): Promise<number> => {
  const [row] = await world.db<{ live: number }[]>`
    select count(*) as live from runs where account_id = ${account.id} and status in ('queued', 'running')`
  return row?.live ?? 0
}

const untilOver = (world: World, account: TestAccount) =>
  eventually(
    'the end of every run',
    async () => ((await liveRuns(world, account)) === 0 ? true : undefined),
    deadlineMs,
  )

let world: World
beforeEach(async () => {
  world = await createWorld({ worker: false, settings: { RATE_LIMIT_STARTS_PER_MINUTE: '0' } })
})
afterEach(() => world.close())

test('a burst of accepted runs all end, in bounded memory, and a chat continues beside it', async () => {
  const worker = await startWorkerProcess(world)
  const chatApi = createChatApi(world)
  const chat = await chatApi.openChat()
  await chatApi.send(chat, '@say hello')
  const before = await measureMemory(worker.pid)
  const account = await world.makeAccount()
  await startRuns(world, account, burst)
  const most = { own: 0, all: 0, processes: 0 }
  const look = async (): Promise<void> => {
    const now = await measureMemory(worker.pid)
    for (const name of ['own', 'all', 'processes'] as const) most[name] = Math.max(most[name], now[name])
  }
  await watching(250, look, async () => {
    const talked = await chatApi.send(chat, '@say still here')
    expect(listFaults(talked)).toEqual([])
    expect(await liveRuns(world, account)).toBeGreaterThan(0)
    await chatApi.openChat()
    expect(await liveRuns(world, account)).toBeGreaterThan(0)
    await untilOver(world, account)
  })
  const statuses = await world.db<{ status: string; count: number }[]>`
    select status, count(*) from runs where account_id = ${account.id} group by status`
  expect([...statuses]).toEqual([{ status: 'completed', count: burst }])
  expect((most.own - before.own) / 1e6).toBeLessThan(300)
  // Eight sandboxes that are made, and tools of those that were: not one for each run.
  expect(most.processes - before.processes).toBeLessThan(250)
  await worker.stop()
})

test('interactive turns go before background ones', async () => {
  const account = await world.makeAccount()
  await startRuns(world, account, 16)
  const watched = await openLog(world)
  await watched.finish()
  await giveSandbox(world.db, watched.sessionId)
  const body = { chatId: watched.chatId, sessionId: watched.sessionId, messages: [userMessage('@say hi')] }
  const response = await world.fetch('POST', '/api/chat', { key: watched.key, body })
  const worker = await startWorkerHere(world)
  expect(listFaults(await readTranscript(response))).toEqual([])
  const [earlier] = await world.db<{ count: number }[]>`
    select count(*) from runs, (select ended_at from runs where id = ${response.headers.get('x-workflow-run-id')}) as watched
    where account_id = ${account.id} and runs.ended_at < watched.ended_at`
  expect(earlier?.count).toBeLessThan(8)
  await untilOver(world, account)
  await worker.stop()
})
