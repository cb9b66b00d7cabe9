import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertTurn } from '../../db/turns/insert-turn.ts'
import { claimSlot } from '../../db/turns/slot.ts'
import { foldFrames } from '../../domain/log/fold.ts'
import type { Frame } from '../../domain/log/frames.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import { toStoredMessage } from '../../domain/chat/messages.ts'
import { personOrigin } from '../../domain/runs/origin.ts'
import { listFaults, listFrames, readTranscript, shownText, listTypes, type Transcript } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'
import { createChatApi, until, userMessage } from './chat-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

const foldTranscript = (transcript: Transcript) =>
  foldFrames(transcript.frames.map(({ index, body }) => ({ index, frame: JSON.parse(body) as Frame })))

test('later steps of a turn do not load messages that exceed the context limit', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const history = ['user', 'assistant', 'user', 'assistant'].map((role) => ({
    id: randomUUID(),
    role,
    content: 'word '.repeat(10_000),
  }))
  const instructions = { id: randomUUID(), role: 'system', content: 'Be brief' }
  const question = userMessage('@stall')
  const messages = [instructions, ...history, question]
  const response = await chatApi.post(chat, '', { messages, context: { contextLimit: 1000 } })
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  const read = () => world.db<{ id: string }[]>`
    select json_array_elements(messages) ->> 'id' as id from run_inputs where run_id = ${runId}`
  const storedInputs = await until(read, (rows) => rows.length < messages.length)
  expect(storedInputs.map(({ id }) => id)).toEqual([instructions.id, question.id])
  await chatApi.stop(chat)
  expect(listFaults(await reading)).toEqual([])
})

describe('POST /api/chat', () => {
  test('streams a plain turn with the frames of the contract', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const response = await chatApi.post(chat, '@say The catalog holds 42 songs.')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    expect(runId).toMatch(/^wrun_[0-9A-Z]{26}$/)
    const transcript = await readTranscript(response)
    expect(listFaults(transcript)).toEqual([])
    const types = listTypes(transcript)
    expect(types.filter((type) => type !== 'text-delta')).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-end',
      'message-metadata',
      'finish-step',
      'finish',
    ])
    expect(shownText(transcript)).toBe('The catalog holds 42 songs.')
    expect(listFrames(transcript).at(-1)).toEqual({
      type: 'finish',
      finishReason: 'stop',
      messageMetadata: { endReason: 'natural' },
    })
    expect(await chatApi.runStatus(chat.account, runId)).toBe('completed')
  })

  test('stores the message as the fold of its frames, and releases the chat at finish', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const transcript = await chatApi.send(chat, '@think Let me see\n@say Done.')
    const { messages, chat: row, isStreaming, resumeIndex } = await chatApi.load(chat)
    const { parts, metadata } = foldTranscript(transcript)
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant'])
    expect(messages[1]?.id).toBe(listFrames(transcript)[0]?.['messageId'])
    expect(messages[1]?.parts).toEqual(parts)
    expect(messages[1]?.metadata).toMatchObject(metadata)
    expect({ isStreaming, resumeIndex, slot: row.activeStreamId }).toEqual({
      isStreaming: false,
      resumeIndex: null,
      slot: null,
    })
    expect(row.lastAssistantMessageAt).not.toBeNull()
  })

  test('runs a command in the sandbox and continues with its output', async () => {
    const chat = await chatApi.openChat()
    const transcript = await chatApi.send(chat, '$ echo from-$((40 + 2)) > note.txt && cat note.txt')
    expect(listFaults(transcript)).toEqual([])
    const frames = listFrames(transcript)
    const output = frames.find((frame) => frame.type === 'tool-output-available')
    expect(output?.['output']).toMatchObject({ success: true, exitCode: 0, stdout: 'from-42\n' })
    expect(shownText(transcript)).toContain('from-42')
    const types = listTypes(transcript)
    expect(types.filter((type) => type === 'start-step')).toHaveLength(2)
    expect(types.filter((type) => type === 'finish-step')).toHaveLength(2)
    expect(types.indexOf('message-metadata')).toBeLessThan(types.indexOf('tool-output-available'))
    expect((await chatApi.load(chat)).messages[1]?.parts).toEqual(foldTranscript(transcript).parts)
  })

  test('runs the commands of a step concurrently and returns an error for an invalid call', async () => {
    const chat = await chatApi.openChat()
    const transcript = await chatApi.send(chat, '$ echo one\n$ echo two\n@garbage-call')
    expect(listFaults(transcript)).toEqual([])
    const frames = listFrames(transcript)
    const outputs = frames.filter((frame) => frame.type === 'tool-output-available')
    expect(outputs.map((frame) => (frame['output'] as { stdout: string }).stdout).sort()).toEqual(['one\n', 'two\n'])
    expect(frames.filter((frame) => frame.type === 'tool-input-error')).toHaveLength(3)
    expect(frames.at(-1)).toMatchObject({ finishReason: 'stop' })
  })

  test('runs commands with their environment variables and without secrets', async () => {
    const chat = await chatApi.openChat()
    const transcript = await chatApi.send(chat, '$ env | sort')
    const output = listFrames(transcript).find((frame) => frame.type === 'tool-output-available')?.['output']
    const { stdout } = output as { stdout: string }
    expect(stdout).toContain(`PLATFORM_ACCOUNT_ID=${chat.account.id}\n`)
    expect(stdout).toContain(`PLATFORM_API_URL=${world.config.baseUrl}\n`)
    for (const secret of [chat.account.key, world.config.SERVER_SECRET ?? '', world.databaseUrl, world.temporalAddress])
      expect(stdout).not.toContain(secret)
  })

  test('keeps the working tree between turns', async () => {
    const chat = await chatApi.openChat()
    await chatApi.send(chat, '@write notes/plan.md first line')
    const transcript = await chatApi.send(chat, '@read notes/plan.md')
    const output = listFrames(transcript).find((frame) => frame.type === 'tool-output-available')?.['output']
    expect(output).toMatchObject({ success: true, content: '1: first line' })
  })

  test('titles the chat by its first text and stores the user message before the answer', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const response = await chatApi.post(chat, '  Royalties of spring  \n@stall')
    const { messages, chat: row } = await chatApi.load(chat)
    expect(messages[0]).toMatchObject({
      role: 'user',
      parts: [{ type: 'text', text: '  Royalties of spring  \n@stall' }],
    })
    expect(row.title).toBe('Royalties of spring  \n@stall')
    await chatApi.stop(chat)
    await response.body?.cancel()
  })

  test('charges a turn once, with one ledger row, one usage row and one reference', async () => {
    const chat = await chatApi.openChat()
    const response = await chatApi.post(chat, '$ true')
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    await readTranscript(response)
    const rows = await world.db`
      select l.amount, l.balance_after as "balanceAfter", u.tool_call_count as "toolCalls", u.output_tokens as "output",
        b.remaining_credits as "balance", l.reference
      from credit_ledger l join usage_events u using (reference) join credit_balances b on b.account_id = l.account_id
      where u.run_id = ${runId}`
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ amount: -1, toolCalls: 1, reference: `chat:${runId}:main:local/assistant` })
    expect(rows[0]?.['balanceAfter']).toBe(rows[0]?.['balance'])
    expect(rows[0]?.['output']).toBeGreaterThan(0)
  })

  test('sends the history of the client to the model, within the context limit', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const history = [
      { id: randomUUID(), role: 'user', content: 'x'.repeat(4000) },
      { id: randomUUID(), role: 'assistant', content: 'y'.repeat(4000) },
      userMessage('How many?'),
    ]
    const whole = await chatApi.send(chat, '', { messages: history })
    const cut = await chatApi.send(chat, '', {
      messages: [...history.slice(0, 2), userMessage('How many?')],
      context: { contextLimit: 50 },
    })
    expect(shownText(whole)).toContain('3')
    expect(shownText(cut)).toContain('1')
  })

  test('ends a turn that asks a question and continues the same message with the answer', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const withQuestion = await chatApi.send(chat, '@ask Which format? wav | mp3')
    expect(listFrames(withQuestion).at(-1)).toMatchObject({
      finishReason: 'tool-calls',
      messageMetadata: { endReason: 'awaiting_user' },
    })
    const before = await chatApi.load(chat)
    const message = before.messages[1]!
    const question = message.parts.find((part) => part['type'] === 'tool-ask_user_question')!
    expect(question['state']).toBe('input-available')
    const answeredMessage = {
      ...message,
      parts: message.parts.map((part) =>
        part === question
          ? { ...part, state: 'output-available', output: { answers: { 'Which format?': 'wav' } } }
          : part,
      ),
    }
    const continued = await chatApi.send(chat, '', { messages: [before.messages[0]!, answeredMessage] })
    expect(listFrames(continued)[0]).toEqual({ type: 'start', messageId: message.id })
    expect(listFaults(continued)).toEqual([])
    const after = await chatApi.load(chat)
    expect(after.messages).toHaveLength(2)
    expect(after.messages[1]?.parts.slice(0, message.parts.length)).toEqual(answeredMessage.parts)
    expect(after.messages[1]?.parts.length).toBeGreaterThan(message.parts.length)
    const reasons = after.messages[1]?.metadata?.['stepFinishReasons']
    expect(reasons).toHaveLength(2)
    const again = await chatApi.post(chat, '', { messages: [before.messages[0]!, answeredMessage] })
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ missing_fields: ['messages'] })
  })

  test('closes an unanswered question when the user sends another message', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    await chatApi.send(chat, '@ask Really? yes | no')
    await chatApi.send(chat, 'Never mind')
    const question = (await chatApi.load(chat)).messages[1]?.parts.find(
      (part) => part['type'] === 'tool-ask_user_question',
    )
    expect(question).toMatchObject({ state: 'output-error', errorText: 'Not answered' })
  })

  test('does not change a stored message with the same id', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const message = userMessage('first')
    await chatApi.send(chat, '', { messages: [message] })
    await chatApi.send(chat, '', { messages: [{ ...message, content: 'second' }] })
    const { messages } = await chatApi.load(chat)
    expect(messages.filter((stored) => stored.role === 'user')).toHaveLength(1)
    expect(messages[0]?.parts[0]).toMatchObject({ text: 'first' })
  })
})

describe('POST /api/chat rejects', () => {
  const bodies: [string, (chat: { chatId: string; sessionId: string }) => unknown, unknown][] = [
    ['no messages', (ids) => ({ ...ids }), ['messages']],
    ['an empty history', (ids) => ({ ...ids, messages: [] }), ['messages']],
    [
      'a message without content',
      (ids) => ({ ...ids, messages: [userMessage('a'), { id: '1', role: 'user' }] }),
      ['messages', 1, 'content'],
    ],
    [
      'an unknown role',
      (ids) => ({ ...ids, messages: [{ id: '1', role: 'tool', content: 'a' }] }),
      ['messages', 0, 'role'],
    ],
    [
      'a long message id',
      (ids) => ({ ...ids, messages: [{ id: 'x'.repeat(129), role: 'user', content: 'a' }] }),
      ['messages', 0, 'id'],
    ],
    [
      'a history that ends with a system message',
      (ids) => ({ ...ids, messages: [{ id: '1', role: 'system', content: 'a' }] }),
      ['messages'],
    ],
    ['a chat id that is not a UUID', (ids) => ({ ...ids, chatId: 'x', messages: [userMessage('a')] }), ['chatId']],
    ['no session id', ({ chatId }) => ({ chatId, messages: [userMessage('a')] }), ['sessionId']],
    [
      'a context limit of 0',
      (ids) => ({ ...ids, messages: [userMessage('a')], context: { contextLimit: 0 } }),
      ['context', 'contextLimit'],
    ],
  ]
  test.each(bodies)('%s', async (_, body, missingFields) => {
    const account = await world.makeAccount()
    const response = await world.fetch('POST', '/api/chat', {
      key: account.key,
      body: body({ chatId: randomUUID(), sessionId: randomUUID() }) as object,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: 'error', missing_fields: missingFields })
  })

  test('any bearer token', async () => {
    const response = await world.fetch('POST', '/api/chat', {
      headers: { authorization: 'Bearer sk_anything' },
      body: { messages: [userMessage('a')] },
    })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'This endpoint accepts x-api-key only' })
  })

  test('other accounts, with 404 for unknown ids and 403 for the session of another account', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const outsider = await world.makeAccount()
    const sendRequest = async (sessionId: string, chatId: string, key: string) => {
      const response = await world.fetch('POST', '/api/chat', {
        key,
        body: { sessionId, chatId, messages: [userMessage('a')] },
      })
      return [response.status, ((await response.json()) as { error: string }).error]
    }
    expect(await sendRequest(randomUUID(), chat.chatId, chat.account.key)).toEqual([404, 'Session not found'])
    expect(await sendRequest(chat.sessionId, chat.chatId, outsider.key)).toEqual([403, 'Forbidden'])
    expect(await sendRequest(chat.sessionId, randomUUID(), outsider.key)).toEqual([403, 'Forbidden'])
    expect(await sendRequest(chat.sessionId, randomUUID(), chat.account.key)).toEqual([404, 'Chat not found'])
  })

  test('a session without a sandbox, and writes nothing', async () => {
    const account = await world.makeAccount()
    const created = await world.fetch('POST', '/api/sessions', { key: account.key, body: {} })
    const { session, chat } = (await created.json()) as { session: { id: string }; chat: { id: string } }
    const response = await chatApi.post({ account, sessionId: session.id, chatId: chat.id }, 'hello')
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ status: 'error', error: 'Sandbox not initialized' })
    const [count] = await world.db`select count(*)::int as runs from runs where chat_id = ${chat.id}`
    expect(count).toEqual({ runs: 0 })
  })

  test('a second turn while a turn is active, and returns the id of the active run', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const first = await chatApi.post(chat, '@stall')
    const second = await chatApi.post(chat, 'me too')
    expect(second.status).toBe(409)
    expect(second.headers.get('x-workflow-run-id')).toBe(first.headers.get('x-workflow-run-id'))
    expect(await second.json()).toEqual({ status: 'error', error: 'A response is already streaming for this chat' })
    await chatApi.stop(chat)
    await first.body?.cancel()
  })

  test('all but one of many turns that are sent concurrently', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const responses = await Promise.all(Array.from({ length: 12 }, () => chatApi.post(chat, '@stall')))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    expect(responses.filter((response) => response.status === 409)).toHaveLength(11)
    const [count] = await world.db`select count(*)::int as runs from runs where chat_id = ${chat.chatId}`
    expect(count).toEqual({ runs: 1 })
    await chatApi.stop(chat)
    await Promise.all(responses.map(async (response) => response.body?.cancel().catch(() => {})))
  })

  test('an account without credits if the deployment requires them', async () => {
    const strict = await createWorld({ settings: { REQUIRE_CREDITS: 'true' }, worker: false })
    try {
      const account = await strict.makeAccount({ credits: 0 })
      const created = await strict.fetch('POST', '/api/chat/runs', { key: account.key, body: { prompt: 'hello' } })
      expect(created.status).toBe(402)
      expect(await created.json()).toMatchObject({
        error: 'insufficient_credits',
        remaining_credits: 0,
        required_credits: 1,
      })
      const [count] = await strict.db`select count(*)::int as sessions from sessions`
      expect(count).toEqual({ sessions: 0 })
    } finally {
      await strict.close()
    }
  })
})

describe('Idempotency-Key on POST /api/chat', () => {
  test('replays the log of the same run, active or ended', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const messages = [userMessage('@words 30')]
    const headers = { 'idempotency-key': 'turn-1' }
    const first = await chatApi.post(chat, '', { messages, headers })
    const replay = await chatApi.post(chat, '', { messages, headers })
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(replay.headers.get('x-workflow-run-id')).toBe(first.headers.get('x-workflow-run-id'))
    const [one, two] = await Promise.all([readTranscript(first), readTranscript(replay)])
    expect(two.frames).toEqual(one.frames)
    const late = await readTranscript(await chatApi.post(chat, '', { messages, headers }))
    expect(late.frames).toEqual(one.frames)
    expect((await chatApi.load(chat)).messages).toHaveLength(2)
  })

  test('rejects the same key with another request', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const headers = { 'idempotency-key': 'turn-2' }
    await readTranscript(await chatApi.post(chat, 'one', { headers }))
    const other = await chatApi.post(chat, 'two', { headers })
    expect(other.status).toBe(422)
  })
})

test('a sweep starts a turn whose API died between its commit and the start of its workflow', async () => {
  const chat = await chatApi.openChat()
  const runId = newRunId()
  const message = userMessage('@say late but there')
  await world.db.begin(async (tx) => {
    await claimSlot(tx, chat.chatId, runId)
    await insertTurn(tx, {
      runId,
      accountId: chat.account.id,
      sessionId: chat.sessionId,
      chatId: chat.chatId,
      assistantMessageId: randomUUID(),
      headless: false,
      origin: personOrigin('api'),
      modelId: 'local/assistant',
      contextLimit: undefined,
      input: [message],
      userMessage: toStoredMessage(message),
      title: 'late',
    })
  })
  const transcript = await readTranscript(await chatApi.resume(chat))
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('late but there')
  expect(await chatApi.runStatus(chat.account, runId)).toBe('completed')
})
