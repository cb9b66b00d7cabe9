import { readdir, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createChatApi, userMessage } from '../chat/chat-api.ts'
import { startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { listFaults, readTranscript } from '../world/transcript.ts'
import { scaled } from '../cost/scale.ts'
import { giveSandbox } from '../world/sessions/session-rows.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { openLog } from './log.ts'
import { sampleDuring } from './numbers.ts'
import { range } from './readers/reader.ts'

/** Number of runs that are accepted concurrently. */
const runCount = scaled(16, 24)
const timeoutMs = 120_000 + runCount * 1000

vi.setConfig({ testTimeout: timeoutMs + 60_000 })

const readStat = async (pid: string): Promise<{ parent: string; kilobytes: number } | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  if (status === undefined) return undefined
  return {
    parent: /^PPid:\s+(\d+)/m.exec(status)?.[1] ?? '',
    kilobytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0),
  }
}

/** Returns the memory of a process, of the process tree below it, and the number of processes in the tree. */
const measureMemory = async (root: number): Promise<{ rootBytes: number; treeBytes: number; processes: number }> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = new Map<string, { parent: string; kilobytes: number }>()
  for (const pid of pids) {
    const stat = await readStat(pid)
    if (stat !== undefined) stats.set(pid, stat)
  }
  const treePids = new Set([String(root)])
  for (let size = 0; size !== treePids.size;) {
    size = treePids.size
    for (const [pid, { parent }] of stats) if (treePids.has(parent)) treePids.add(pid)
  }
  const bytes = [...treePids].map((pid) => (stats.get(pid)?.kilobytes ?? 0) * 1024)
  return { rootBytes: bytes[0] ?? 0, treeBytes: bytes.reduce((sum, size) => sum + size, 0), processes: treePids.size }
}

const prompt = '$ true\n---\n@say done'

const startRuns = async (world: World, account: TestAccount, count: number): Promise<void> => {
  const body = { prompt }
  const accepted = await Promise.all(
    range(count).map(() => world.request('POST', '/api/chat/runs', { key: account.key, body })),
  )
  expect(accepted.map(({ status }) => status)).toEqual(range(count).map(() => 202))
}

const countUnfinishedRuns = async (world: World, account: TestAccount): Promise<number> => {
  const [row] = await world.db<{ live: number }[]>`
    select count(*) as live from runs where account_id = ${account.id} and status in ('queued', 'running')`
  return row?.live ?? 0
}

const untilAllEnded = (world: World, account: TestAccount) =>
  eventually(
    'the end of every run',
    async () => ((await countUnfinishedRuns(world, account)) === 0 ? true : undefined),
    timeoutMs,
  )

let world: World
beforeEach(async () => {
  world = await createWorld({ worker: false, settings: { RATE_LIMIT_STARTS_PER_MINUTE: '0' } })
})
afterEach(() => world.close())

test('all runs of a burst end within bounded memory, and a chat continues meanwhile', async () => {
  const worker = await startWorkerProcess(world)
  const chatApi = createChatApi(world)
  const chat = await chatApi.openChat()
  await chatApi.send(chat, '@say hello')
  const before = await measureMemory(worker.pid)
  const account = await world.makeAccount()
  await startRuns(world, account, runCount)
  const peak = { rootBytes: 0, treeBytes: 0, processes: 0 }
  const sample = async (): Promise<void> => {
    const now = await measureMemory(worker.pid)
    for (const name of ['rootBytes', 'treeBytes', 'processes'] as const) peak[name] = Math.max(peak[name], now[name])
  }
  await sampleDuring(250, sample, async () => {
    const transcript = await chatApi.send(chat, '@say still here')
    expect(listFaults(transcript)).toEqual([])
    expect(await countUnfinishedRuns(world, account)).toBeGreaterThan(0)
    await chatApi.openChat()
    expect(await countUnfinishedRuns(world, account)).toBeGreaterThan(0)
    await untilAllEnded(world, account)
  })
  const statuses = await world.db<{ status: string; count: number }[]>`
    select status, count(*) from runs where account_id = ${account.id} group by status`
  expect([...statuses]).toEqual([{ status: 'completed', count: runCount }])
  expect((peak.rootBytes - before.rootBytes) / 1e6).toBeLessThan(300)
  // At most eight sandboxes are created concurrently, and tools run in existing sandboxes.
  expect(peak.processes - before.processes).toBeLessThan(250)
  await worker.stop()
})

test('interactive turns take precedence over background turns', async () => {
  const account = await world.makeAccount()
  await startRuns(world, account, 16)
  const chatLog = await openLog(world)
  await chatLog.finish()
  await giveSandbox(world.db, chatLog.sessionId)
  const body = { chatId: chatLog.chatId, sessionId: chatLog.sessionId, messages: [userMessage('@say hi')] }
  const response = await world.fetch('POST', '/api/chat', { key: chatLog.key, body })
  const worker = await startWorkerInProcess(world)
  expect(listFaults(await readTranscript(response))).toEqual([])
  const [endedBefore] = await world.db<{ count: number }[]>`
    select count(*) from runs, (select ended_at from runs where id = ${response.headers.get('x-workflow-run-id')}) as watched
    where account_id = ${account.id} and runs.ended_at < watched.ended_at`
  expect(endedBefore?.count).toBeLessThan(8)
  await untilAllEnded(world, account)
  await worker.stop()
})
