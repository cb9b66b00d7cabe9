import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, type OpenChat } from '../chat/chat-api.ts'
import { listFaults, readTranscript, shownText } from '../world/transcript.ts'
import { scaled } from '../cost/scale.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { range } from './readers/reader.ts'

const shortTurns = 20
const longTurns = 2000

let world: World
let chatApi: ReturnType<typeof createChatApi>
let shortChat: OpenChat
let longChat: OpenChat

/** Inserts completed turns. Each has a user message and an assistant message with one tool call. */
const insertTurns = (chatId: string, turns: number, outputCharacters = 300) =>
  world.db.begin(async (tx) => {
    await tx`
      insert into chat_messages (chat_id, id, role)
      select ${chatId}::uuid, 'm' || place, case place % 2 when 1 then 'user' else 'assistant' end
      from generate_series(1, ${turns * 2}::int) as place order by place`
    await tx`
      insert into chat_message_parts (chat_id, message_id, position, tool_call_id, part)
      select ${chatId}::uuid, 'm' || place, 0, null, json_build_object('type', 'text', 'text', 'message ' || place || repeat(' word', 60))
      from generate_series(1, ${turns * 2}::int) as place
      union all
      select ${chatId}::uuid, 'm' || (turn * 2), 1, 'call_' || turn, json_build_object('type', 'tool-bash', 'toolCallId', 'call_' || turn,
        'state', 'output-available', 'input', '{}'::json, 'output', json_build_object('stdout', repeat('x', ${outputCharacters}::int)))
      from generate_series(1, ${turns}::int) as turn`
    await tx`update chats set title = 'Long', updated_at = now() where id = ${chatId}`
    const ended = await tx<{ id: string }[]>`
      insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id, ended_at)
      select 'wrun_' || ${chatId}::text || turn, account_id, sessions.id, ${chatId}::uuid, 'm' || (turn * 2), 'completed', 'api', 'local/assistant', now()
      from chats join sessions on sessions.id = chats.session_id, generate_series(1, ${turns}::int) as turn
      where chats.id = ${chatId} returning runs.id`
    await tx`
      insert into stream_head (run_id, day, next_seq, state)
      select id, current_date, 9, 'done' from unnest(${ended.map(({ id }) => id)}::text[]) as id`
    // Without further rows, every query would scan the small log completely.
    await tx`
      insert into stream_chunk (run_id, seq, day, body)
      select id, seq, current_date, '{"type":"text-delta","id":"0","delta":" word"}'
      from unnest(${ended.map(({ id }) => id)}::text[]) as id, generate_series(0, 8) as seq`
  })

beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
  shortChat = await chatApi.openChat()
  longChat = await chatApi.openChat()
  await insertTurns(shortChat.chatId, shortTurns)
  await insertTurns(longChat.chatId, longTurns)
  await world.db`vacuum analyze`
})
afterAll(() => world.close())

type Reads = Record<string, number>

/**
 * Returns the number of rows that the server has read from each table. Ends idle backends first, because a backend
 * reports its reads when it ends.
 */
const countRowsRead = async (): Promise<Reads> => {
  const pools = ['backline api', 'backline worker', 'backline stream writer']
  await world.db`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and state = 'idle' and application_name = any(${pools}::text[])`
  const tables = await world.db<{ name: string; rows: number }[]>`
    select relname as name, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as rows
    from pg_stat_user_tables`
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
}

const subtractReads = (before: Reads, after: Reads): Reads =>
  Object.fromEntries(Object.entries(after).map(([name, rows]) => [name, rows - (before[name] ?? 0)]))

const sumReads = (reads: Reads): number => Object.values(reads).reduce((sum, rows) => sum + rows, 0)

type StoredMessage = { id: string; role: string; parts: object[] }
type Page = { messages: StoredMessage[]; nextBefore: string | null }

/** Retries after a 503, because the API may not have noticed that its idle connections were ended. */
const get = (chat: OpenChat, path: string): Promise<{ body: Page; text: string }> =>
  eventually(`a response from ${path}`, async () => {
    const response = await world.request<Page>('GET', path, { key: chat.account.key })
    expect([200, 503]).toContain(response.status)
    return response.status === 200 ? response : undefined
  })

const readPage = (chat: OpenChat, query: string) =>
  get(chat, `/api/sessions/${chat.sessionId}/chats/${chat.chatId}?${query}`)

const post = (chat: OpenChat, text: string): Promise<Response> =>
  eventually('an accepted turn', async () => {
    const response = await chatApi.post(chat, text)
    expect([200, 503]).toContain(response.status)
    if (response.status === 200) return response
    await response.body?.cancel()
    return undefined
  })

/** Typical requests to a chat. */
const requestsByName: Record<string, (chat: OpenChat) => Promise<void>> = {
  'a turn': async (chat) => {
    const transcript = await readTranscript(await post(chat, '$ echo hello\n---\n@say done'))
    expect(listFaults(transcript)).toEqual([])
  },
  'a turn that is resumed': async (chat) => {
    const response = await post(chat, '@words 5')
    const resumed = await chatApi.resume(chat)
    if (resumed.status === 200) await readTranscript(resumed)
    await readTranscript(response)
  },
  'a read of the last page': async (chat) => void (await readPage(chat, 'limit=30')),
  'a read of an earlier page': async (chat) => void (await readPage(chat, 'limit=10&before=m30')),
  'the lists': async (chat) => {
    await get(chat, `/api/sessions/${chat.sessionId}/chats`)
    await get(chat, '/api/chats')
    await get(chat, '/api/sessions')
  },
}

/** Returns the minimum of several measurements for each chat, because sweeps and workers read the same tables. */
const measureMinReads = async (perform: (chat: OpenChat) => Promise<void>, chats: OpenChat[]): Promise<Reads[]> => {
  const samples: Reads[][] = chats.map(() => [])
  for (const chat of chats) await perform(chat)
  for (let time = 0; time < scaled(3, 5); time++)
    for (const [index, chat] of chats.entries()) {
      const before = await countRowsRead()
      await perform(chat)
      samples[index]?.push(subtractReads(before, await countRowsRead()))
    }
  return samples.map((reads) =>
    Object.fromEntries(
      Object.keys(reads[0] ?? {}).map((table) => [table, Math.min(...reads.map((rows) => rows[table] ?? 0))]),
    ),
  )
}

test.each(Object.entries(requestsByName))(
  '%s reads no more rows after two thousand turns than after twenty',
  async (_, perform) => {
    const [few = {}, many = {}] = await measureMinReads(perform, [shortChat, longChat])
    // The long chat has 6000 message rows. Small tables, which grow during the test, are scanned completely.
    expect(sumReads(many), JSON.stringify({ few, many })).toBeLessThan(sumReads(few) + 300)
  },
)

test('the size of a page is independent of the chat, and all pages contain each message once in order', async () => {
  const [few, many] = [await readPage(shortChat, 'limit=30'), await readPage(longChat, 'limit=30')]
  expect(many.text.length).toBeLessThan(few.text.length * 1.1)
  let ids: string[] = []
  for (let before = ''; ;) {
    const { body } = await readPage(longChat, `limit=1000${before}`)
    expect(body.messages.length).toBeLessThanOrEqual(1000)
    ids = [...body.messages.map(({ id }) => id), ...ids]
    if (body.nextBefore === null) break
    before = `&before=${body.nextBefore}`
  }
  expect(ids.slice(0, longTurns * 2)).toEqual(range(longTurns * 2).map((index) => `m${index + 1}`))
  expect(new Set(ids).size).toBe(ids.length)
})

test('a chat with outputs of 50 KB is paged by size, and its turns continue with the part that fits the context', async () => {
  const heavy = await chatApi.openChat()
  const turns = 400
  await insertTurns(heavy.chatId, turns, 50_000)
  const pages: StoredMessage[][] = []
  for (let before = ''; ;) {
    const { body, text } = await readPage(heavy, `limit=1000${before}`)
    expect(text.length).toBeLessThan(4_200_000)
    pages.unshift(body.messages)
    if (body.nextBefore === null) break
    before = `&before=${body.nextBefore}`
  }
  expect(pages.flat().map(({ id }) => id)).toEqual(range(turns * 2).map((index) => `m${index + 1}`))
  expect(pages.length).toBeGreaterThan(4)
  const command = `$ head -c 50000 /dev/zero | tr '\\0' x`
  const question = { id: randomUUID(), role: 'user', content: `${command}\n---\n${command}\n---\n$ sleep 60` }
  const response = await chatApi.post(heavy, '', { messages: [...(pages.at(-1) ?? []), question] })
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await eventually('the third step', async () => {
    const rows =
      await world.db`select 1 from run_tool_calls where run_id = ${runId} and step = 2 and started_at is not null`
    return rows.length === 1 || undefined
  })
  const [input] = await world.db<{ bytes: number }[]>`
    select octet_length(messages::text) as bytes from run_inputs where run_id = ${runId}`
  // A window of 128,000 tokens holds half a megabyte of text, and the client sent four megabytes.
  expect(input?.bytes).toBeLessThan(1_000_000)
  await chatApi.stop(heavy)
  expect(listFaults(await reading)).toEqual([])
  const stored = (await readPage(heavy, 'limit=2')).body.messages
  expect(JSON.stringify(stored).length).toBeGreaterThan(100_000)
})

test('turns of a long chat run, resume and are stored like turns of a short chat', async () => {
  const countMessages = async (): Promise<number> => {
    const [size] = await world.db<{ messages: number }[]>`
      select count(*) as messages from chat_messages where chat_id = ${longChat.chatId}`
    return size?.messages ?? 0
  }
  const turns = scaled(8, 24)
  const before = await countMessages()
  for (const turn of range(turns)) {
    const response = await chatApi.post(longChat, `@words ${turn + 5}`)
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    const transcript = await readTranscript(response)
    expect(listFaults(transcript)).toEqual([])
    expect(shownText(transcript).split(' ')).toHaveLength(turn + 5)
    expect(await chatApi.runStatus(longChat.account, runId)).toBe('completed')
  }
  const resumed = await chatApi.resume(longChat)
  expect(resumed.status).toBe(204)
  const { body } = await readPage(longChat, `limit=${2 * turns}`)
  expect(body.messages).toHaveLength(2 * turns)
  expect(await countMessages()).toBe(before + 2 * turns)
})

test('the model receives the part of a long client history that fits its context', async () => {
  const history = range(1999).map((index) => ({
    id: `h${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `message ${index} ${'word '.repeat(60)}`,
  }))
  const question = { id: randomUUID(), role: 'user', content: 'how much do you see?' }
  const sent = await chatApi.send(longChat, '', { messages: [...history, question], context: { contextLimit: 1000 } })
  expect(listFaults(sent)).toEqual([])
  // The scripted model reports the number of messages it received. 1000 tokens are about a dozen messages.
  const visibleMessages = Number(/I can see (\d+) messages/.exec(shownText(sent))?.[1])
  expect(visibleMessages).toBeGreaterThan(5)
  expect(visibleMessages).toBeLessThan(20)
})
