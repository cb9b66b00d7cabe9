import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPage } from '../../../db/log/stream.ts'
import { createChatApi } from '../../chat/chat-api.ts'
import { startApiProcess } from '../../crash/processes.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { openLog } from '../log.ts'
import { readMetric } from '../numbers.ts'
import { parseFrames, parseIndexes, openReader, range } from './reader.ts'

const heartbeatMs = 1000
const timeoutMs = 90_000

let world: World
beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: { STREAM_STALL_SECONDS: '1', STREAM_HEARTBEAT_MS: String(heartbeatMs), RATE_LIMIT_STREAMS: '0' },
  })
})
afterAll(() => world.close())

const untilReaders = async (count: number): Promise<void> => {
  await eventually(
    `${count} open readers`,
    async () => (world.deps.streams.size() === count ? true : undefined),
    timeoutMs,
  )
}

test('a reader that reads nothing is disconnected, can resume at its position, and does not affect other readers', async () => {
  const log = await openLog(world)
  await log.append(500, 40_000)
  const before = await readMetric(world.metricsUrl, 'backline_stuck_readers_total')
  const stuck = await openReader(world.baseUrl + log.path(), log.key)
  const others = await Promise.all(range(3).map(() => openReader(world.baseUrl + log.path(), log.key)))
  const read = Promise.all(others.map((other) => other.readToEnd()))
  await untilReaders(3)
  expect(await readMetric(world.metricsUrl, 'backline_stuck_readers_total')).toBe(before + 1)
  await log.append(10, 100)
  const firstText = await stuck.readToEnd()
  const receivedIndexes = parseIndexes(firstText)
  expect(receivedIndexes).toEqual(range(receivedIndexes.length))
  expect(receivedIndexes.length).toBeLessThan(510)
  expect(firstText).not.toContain('[DONE]')
  const resumed = await openReader(world.baseUrl + log.path(), log.key, {
    'last-event-id': String(receivedIndexes.at(-1)),
  })
  const rest = resumed.readToEnd()
  await log.finish()
  const texts = await read
  for (const text of texts) {
    expect(parseIndexes(text)).toEqual(range(512))
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
  }
  expect([...parseFrames(firstText), ...parseFrames(await rest)]).toEqual(parseFrames(texts[0] ?? ''))
})

test('a slow reader stays connected and receives every frame once', async () => {
  const log = await openLog(world)
  await log.append(500, 40_000)
  const slow = await openReader(world.baseUrl + log.path(), log.key)
  const startedAt = performance.now()
  await log.finish()
  const text = await slow.readSlowly(128 * 1024, 40)
  expect(performance.now() - startedAt).toBeGreaterThan(2000)
  expect(parseIndexes(text)).toEqual(range(502))
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
})

test('a response at its maximum age ends between frames without [DONE], even for a slow reader', async () => {
  const aging = await createWorld({ worker: false, settings: { STREAM_MAX_AGE_SECONDS: '1' } })
  try {
    const log = await openLog(aging)
    const writing = (async () => {
      for (let frame = 0; frame < 150; frame++) {
        await log.append(1, 200)
        await pause(20)
      }
      await log.finish()
    })()
    let text = ''
    let responses = 0
    while (!text.includes('[DONE]') && responses < 50) {
      const last = parseIndexes(text).at(-1)
      const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) }
      const reader = await openReader(aging.baseUrl + log.path(), log.key, headers)
      // The run ended between two responses, so the stored message contains the rest.
      if (reader.status === 204) break
      const part = await reader.readToEnd()
      expect(part.replaceAll(': hb\n\n', '')).toMatch(/^(?:id: \d+\ndata: .*\n\n)*(?:data: \[DONE\]\n\n)?$/)
      text += part
      responses++
    }
    await writing
    expect(responses).toBeGreaterThan(2)
    const receivedIndexes = parseIndexes(text)
    expect(receivedIndexes).toEqual(range(receivedIndexes.length))
    expect(receivedIndexes.length).toBeGreaterThan(100)

    const big = await openLog(aging)
    await big.append(500, 40_000)
    const slow = await openReader(aging.baseUrl + big.path(), big.key)
    const indexes = parseIndexes(await slow.readSlowly(256 * 1024, 40))
    expect(indexes).toEqual(range(indexes.length))
    expect(indexes.length).toBeLessThan(501)
  } finally {
    await aging.close()
  }
})

test('a heartbeat is sent only after silence since the last byte', async () => {
  const log = await openLog(world)
  const reader = await world.fetch('GET', log.path(), { key: log.key })
  const gaps: number[] = []
  let lastAt = performance.now()
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const part of reader.body ?? []) {
      const now = performance.now()
      if (decoder.decode(part as Uint8Array).startsWith(': hb')) gaps.push(now - lastAt)
      lastAt = now
    }
  })()
  for (let frame = 0; frame < 25; frame++) {
    await log.append(1, 10)
    await pause(100)
  }
  await eventually('two heartbeats', async () => (gaps.length >= 2 ? true : undefined), timeoutMs)
  await log.finish()
  await reading
  for (const gap of gaps) expect(gap).toBeGreaterThan(heartbeatMs / 2)
})

test('a run ends in time despite stalled readers', async () => {
  const working = await createWorld()
  try {
    const chatApi = createChatApi(working)
    const chat = await chatApi.openChatWithoutCommands()
    const response = await chatApi.post(chat, '@words 20000')
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    const path = `${working.baseUrl}/api/chat/${chat.chatId}/stream`
    await Promise.all(range(10).map(() => openReader(path, chat.account.key)))
    const status = await eventually(
      'the end of the run',
      async () => {
        const now = await chatApi.runStatus(chat.account, runId)
        return now === 'queued' || now === 'running' ? undefined : now
      },
      60_000,
    )
    expect(status).toBe('completed')
    await response.body?.cancel()
  } finally {
    await working.close()
  }
})

test('a page for a reader is small or contains one frame', async () => {
  const log = await openLog(world)
  await log.append(30, 40_000)
  await log.append(1, 500_000)
  await log.append(400, 50)
  const [head] = await world.db<{ day: string }[]>`
    select day::text as day from stream_head where run_id = ${log.runId}`
  const sizes: number[] = []
  let from = 0
  for (let hasMore = true; hasMore;) {
    const page = await listPage(world.db, { runId: log.runId, day: head?.day ?? '', from })
    expect(page.frames.map(({ seq }) => seq)).toEqual(page.frames.map((_, place) => from + place))
    sizes.push(page.frames.slice(0, -1).reduce((sum, { body }) => sum + body.length, 0))
    from += page.frames.length
    ;({ more: hasMore } = page)
  }
  expect(from).toBe(432)
  expect(Math.max(...sizes)).toBeLessThan(128 * 1024)
  await log.finish()
})

test('each of a hundred stalled readers costs an API less than 256 kB', async () => {
  const log = await openLog(world)
  await log.append(500, 40_000)
  // The limit per account is divided among the API processes, including those that ended shortly before.
  const api = await startApiProcess(world, { settings: { RATE_LIMIT_STREAMS: '0' } })
  const countHeldBytes = async (): Promise<number> =>
    (await readMetric(api.metricsUrl, 'nodejs_heap_size_used_bytes')) +
    (await readMetric(api.metricsUrl, 'nodejs_external_memory_bytes'))
  const wholeReader = await openReader(api.baseUrl + log.path(), log.key)
  const read = wholeReader.readToEnd()
  await pause(1000)
  const before = await countHeldBytes()
  await Promise.all(range(100).map(() => openReader(api.baseUrl + log.path(), log.key)))
  // Every sample includes the memory in use. The minimum includes the least garbage.
  let minBytes = Infinity
  for (let round = 0; round < 10; round++) {
    minBytes = Math.min(minBytes, await countHeldBytes())
    await pause(300)
  }
  expect(await readMetric(api.metricsUrl, 'backline_open_streams')).toBe(101)
  // Some garbage always remains.
  expect((minBytes - before) / 1e6).toBeLessThan(100 * 0.256 + 80)
  await log.finish()
  expect(parseIndexes(await read)).toEqual(range(502))
  await api.kill()
})
