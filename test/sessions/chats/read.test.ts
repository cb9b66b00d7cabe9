import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { chatSchema } from '../../../domain/chat/chats.ts'
import { storedMessageSchema } from '../../../domain/chat/messages.ts'
import { acceptRun, fillChat, say } from '../../world/sessions/session-rows.ts'
import { openSession, owner, useSessionWorld, world, type OwnedSession } from '../../world/sessions/session-world.ts'

useSessionWorld()

const chatResponse = z.object({
  chat: chatSchema.strict(),
  isStreaming: z.boolean(),
  resumeIndex: z.number().nullable(),
  messages: z.array(storedMessageSchema),
  nextBefore: z.string().nullable(),
})

const readChat = async ({ path, chatId, account }: OwnedSession, query = '') => {
  const response = await world.request('GET', `${path}/${chatId}${query}`, { key: account.key })
  expect(response.status).toBe(200)
  return chatResponse.parse(response.body)
}

const createToolMessage = (characters: number) => {
  const call = { type: 'tool-bash', toolCallId: 'call_1', state: 'output-available', input: {} }
  return { ...say('', 'assistant'), parts: [{ ...call, output: { stdout: 'x'.repeat(characters) } }] }
}

describe('GET .../chats/{chatId}', () => {
  it('returns an empty chat', async () => {
    const session = await openSession()
    expect(await readChat(session)).toMatchObject({
      isStreaming: false,
      resumeIndex: null,
      messages: [],
      nextBefore: null,
    })
  })

  it('returns messages as they were stored, with all parts and metadata', async () => {
    const session = await openSession()
    const messages = [
      { ...say('Hi'), metadata: { from: { '2': 'b', '1': 'a' }, list: [null, 1.5, true] } },
      {
        ...say('Let me look', 'assistant'),
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: '…', providerMetadata: { local: { depth: 1 } } },
          { type: 'tool-bash', toolCallId: 'call_1', state: 'output-available', input: { command: 'ls' }, output: {} },
          { type: 'text', text: 'a\u0001b \u{1f3b5}' },
        ],
      },
    ]
    await fillChat(world.db, session.chatId, messages)
    expect((await readChat(session)).messages).toEqual(messages)
  })

  it('returns messages in pages backwards from the end, without gaps or duplicates', async () => {
    const session = await openSession()
    const messages = Array.from({ length: 7 }, (_, number) => say(`Message ${number}`))
    await fillChat(world.db, session.chatId, messages)
    const pagedIds: string[] = []
    let before: string | null = ''
    while (before !== null) {
      const page = await readChat(session, `?limit=3${before && `&before=${before}`}`)
      pagedIds.unshift(...page.messages.map(({ id }) => id))
      before = page.nextBefore
    }
    expect(pagedIds).toEqual(messages.map(({ id }) => id))
    expect((await readChat(session)).nextBefore).toBeNull()
  })

  it('limits pages of large messages by size and returns each message whole', async () => {
    const session = await openSession()
    const messages = Array.from({ length: 130 }, (_, number) => createToolMessage(number === 40 ? 5_000_000 : 50_000))
    await fillChat(world.db, session.chatId, messages)
    const pages: string[][] = []
    for (let before: string | null = ''; before !== null;) {
      const page = await readChat(session, before && `?before=${before}`)
      if (page.messages.length > 1) expect(JSON.stringify(page.messages).length).toBeLessThan(4_100_000)
      pages.unshift(page.messages.map(({ id }) => id))
      before = page.nextBefore
    }
    expect(pages.flat()).toEqual(messages.map(({ id }) => id))
    expect(pages.map((ids) => ids.length)).toEqual([40, 1, 10, 79])
  })

  it('returns the index of the first frame of the running turn that the messages do not yet contain', async () => {
    const session = await openSession()
    const runId = await acceptRun(world.db, { ...session, accountId: owner.id })
    await world.db`update stream_head set folded_seq = 17 where run_id = ${runId}`
    expect(await readChat(session)).toMatchObject({
      isStreaming: true,
      resumeIndex: 17,
      chat: { activeStreamId: runId },
    })
  })

  it.each([
    ['?limit=0', ['limit']],
    ['?limit=1001', ['limit']],
    ['?before=unknown', ['before']],
  ])('rejects %s', async (query, missing_fields) => {
    const { path, chatId } = await openSession()
    expect(await world.request('GET', `${path}/${chatId}${query}`, { key: owner.key })).toMatchObject({
      status: 400,
      body: { status: 'error', missing_fields },
    })
  })
})
