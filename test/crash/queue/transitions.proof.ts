import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptWaiting } from '../../../db/turns/queue/accept-next.ts'
import { turnTerms } from '../../../domain/chat/turn-terms.ts'
import { createQueueApi } from '../../chat/queue/queue-api.ts'
import { repeatedWords, userMessage, type OpenChat } from '../../chat/chat-api.ts'
import { listFaults, readTranscript, shownText, listTypes, type Transcript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../processes.ts'
import { whileLocked } from '../table-locks.ts'

let world: World
let api: ReturnType<typeof createQueueApi>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '60' } })
  api = createQueueApi(world)
})
afterAll(() => world.close())

/** Checks that the messages have one answer each, in this order. */
const expectAnswered = async (chat: OpenChat, texts: string[]): Promise<void> => {
  await api.untilIdle(chat)
  const { messages } = await api.load(chat)
  expect(messages.map(({ role }) => role)).toEqual(texts.flatMap(() => ['user', 'assistant']))
  expect(await api.userTexts(chat)).toEqual(texts)
  const runs = await world.db`select 1 from runs where chat_id = ${chat.chatId}`
  expect(runs).toHaveLength(texts.length)
}

const untilText = async (chat: OpenChat): Promise<void> => {
  await readTranscript(await api.resume(chat), (transcript) => listTypes(transcript).includes('text-delta'))
}

test('after a worker is killed while it ends a turn and accepts the next message, both happen once', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await api.openChatWithoutCommands()
  // The turn is long enough to queue the next message and lock the table on a busy machine.
  const first = await api.post(chat, '@words 240')
  const reading = readTranscript(first)
  await untilText(chat)
  const id = await api.enqueue(chat, '@say next')
  await whileLocked(
    world,
    'run_inputs',
    async (blocked) => {
      await blocked
      await doomed.kill()
    },
    'writers',
  )
  expect(await api.readEntry(chat, id)).toMatchObject({ state: 'waiting' })
  const survivor = await startWorkerInProcess(world)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe(repeatedWords(240))
  expect(shownText(await api.readStream(chat, await api.waitForRun(chat, id)))).toBe('next')
  await expectAnswered(chat, ['@words 240', '@say next'])
  await survivor.stop()
})

test('after a worker is killed between accepting and starting a turn, the sweeper of another worker starts it', async () => {
  const worker = await startWorkerProcess(world)
  const chat = await api.openChatWithoutCommands()
  const first = await api.post(chat, '@stall')
  await untilText(chat)
  const id = await api.enqueue(chat, '@say started late')
  expect((await api.stop(chat)).status).toBe(200)
  await worker.kill()
  await readTranscript(first)
  const next = await acceptWaiting(world.db, { chatId: chat.chatId, terms: turnTerms(world.config), resume: true })
  expect(await api.runStatus(chat.account, next?.runId ?? '')).toBe('queued')
  const survivor = await startWorkerInProcess(world)
  expect(shownText(await api.readStream(chat, await api.waitForRun(chat, id)))).toBe('started late')
  await expectAnswered(chat, ['@stall', '@say started late'])
  await survivor.stop()
})

type GatedTurn = { chat: OpenChat; reading: Promise<Transcript>; release: () => Promise<void> }

/** Starts a turn whose command runs until it is released. */
const startGatedTurn = async (): Promise<GatedTurn> => {
  const chat = await api.openChat()
  const response = await api.post(chat, '$ until [ -e go ]; do sleep 0.05; done')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await eventually('the command', async () => {
    const begun = await world.db`
      select 1 from run_tool_calls where run_id = ${runId} and started_at is not null and ended_at is null`
    return begun.length === 1 || undefined
  })
  const workspace = join(world.config.DATA_DIR, 'sandboxes', `session-${chat.sessionId}`, 'workspace')
  return { chat, reading: readTranscript(response), release: () => writeFile(join(workspace, 'go'), '') }
}

test.each([
  ['while the message joins', 'chat_messages'],
  ['while the next step is opened', 'stream_chunk'],
] as const)('a message joins a turn once if the worker is killed %s', async (_, table) => {
  const doomed = await startWorkerProcess(world)
  const { chat, reading, release } = await startGatedTurn()
  const id = await api.enqueue(chat, '@say steered', 'steer')
  const killing = async (blocked: Promise<true>): Promise<void> => {
    await blocked
    await doomed.kill()
  }
  if (table === 'chat_messages')
    await whileLocked(
      world,
      table,
      async (blocked) => {
        await release()
        await killing(blocked)
      },
      'writers',
    )
  else {
    await release()
    await eventually(
      'the message in the turn',
      async () => (await api.readEntry(chat, id)).state === 'steered' || undefined,
    )
    await whileLocked(world, table, killing, 'writers')
  }
  const survivor = await startWorkerInProcess(world)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).filter((type) => type === 'data-steer')).toHaveLength(1)
  expect(shownText(transcript)).toBe('steered')
  await api.untilIdle(chat)
  const { messages } = await api.load(chat)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(messages[1]?.parts.filter(({ type }) => type === 'data-steer')).toMatchObject([{ id }])
  await survivor.stop()
})

test('a repeated request creates no second entry after the API is killed while it queues the message or interrupts', async () => {
  const worker = await startWorkerInProcess(world)
  for (const onBusy of ['queue', 'interrupt']) {
    const doomed = await startApiProcess(world)
    const chat = await api.openChatWithoutCommands()
    await (await api.post(chat, onBusy === 'queue' ? '@words 150' : '@stall')).body?.cancel()
    await untilText(chat)
    const body = JSON.stringify({
      chatId: chat.chatId,
      sessionId: chat.sessionId,
      onBusy,
      messages: [userMessage('@say after all')],
    })
    const headers = {
      'x-api-key': chat.account.key,
      'content-type': 'application/json',
      'idempotency-key': `killed-${onBusy}`,
    }
    const post = (url: string): Promise<Response | undefined> =>
      fetch(`${url}/api/chat`, { method: 'POST', headers, body }).catch(() => undefined)
    const lost = post(doomed.baseUrl)
    // One API dies in its transaction. The other dies after recording its stop, before or after notifying the processes.
    if (onBusy === 'queue')
      await whileLocked(
        world,
        'chat_queue',
        async (blocked) => {
          await blocked
          await doomed.kill()
        },
        'writers',
      )
    else {
      await eventually('the entry', async () => {
        const rows = await world.db`select 1 from chat_queue where chat_id = ${chat.chatId}`
        return rows.length === 1 || undefined
      })
      await doomed.kill()
    }
    await (await lost)?.body?.cancel().catch(() => {})
    const again = await eventually('a response', async () => {
      const response = await post(world.baseUrl)
      return response !== undefined && response.status !== 409 ? response : undefined
    })
    expect([200, 202]).toContain(again.status)
    await again.body?.cancel()
    await expectAnswered(chat, [onBusy === 'queue' ? '@words 150' : '@stall', '@say after all'])
  }
  await worker.stop()
})
