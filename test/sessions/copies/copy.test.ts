import { expect, test } from 'vitest'
import { z } from 'zod'
import { findPositionedMessage, insertBranch } from '../../../db/sessions/branches.ts'
import { chatSchema } from '../../../domain/chat/chats.ts'
import type { StoredMessage } from '../../../domain/chat/messages.ts'
import { sessionSchema } from '../../../domain/sessions/sessions.ts'
import { acceptRun, fillChat, say } from '../../world/sessions/session-rows.ts'
import {
  openSession,
  owner,
  outsider,
  useSessionWorld,
  world,
  type OwnedSession,
} from '../../world/sessions/session-world.ts'

useSessionWorld()

const copied = z.object({ session: sessionSchema.nullable(), chat: chatSchema.strict() })

const tryCopy = ({ path, chatId, account }: OwnedSession, body?: object, headers = {}) =>
  world.request('POST', `${path}/${chatId}/copy`, { key: account.key, body, headers })

const copyChat = async (session: OwnedSession, body?: object, headers = {}) => {
  const response = await tryCopy(session, body, headers)
  expect(response.status).toBe(200)
  return copied.parse(response.body)
}

const listMessages = async (sessionId: string, chatId: string): Promise<StoredMessage[]> => {
  const path = `/api/sessions/${sessionId}/chats/${chatId}`
  const { body } = await world.request<{ messages: StoredMessage[] }>('GET', path, { key: owner.key })
  return body.messages
}

const createMessages = (rounds: number): StoredMessage[] =>
  Array.from({ length: rounds }, (_, round) => [
    say(`q${round}`),
    {
      ...say(`a${round}`, 'assistant'),
      parts: [
        { type: 'tool-bash', toolCallId: `call_${round}`, state: 'output-available', input: {}, output: 'ä\u0001' },
        { type: 'text', text: `a${round}` },
      ],
      metadata: { runId: 'wrun_1' },
    },
  ]).flat()

const openFilledChat = async (rounds = 3) => {
  const session = await openSession()
  const messages = createMessages(rounds)
  await fillChat(world.db, session.chatId, messages)
  return { ...session, messages }
}

test('a copy contains all messages up to the selected message and is independent', async () => {
  const session = await openFilledChat()
  const { session: made, chat } = await copyChat(session, { messageId: session.messages[3]?.id, title: 'Second try' })
  expect(made).toBeNull()
  expect(chat).toMatchObject({ sessionId: session.sessionId, title: 'Second try', activeStreamId: null })
  expect(await listMessages(session.sessionId, chat.id)).toEqual(session.messages.slice(0, 4))
  await fillChat(world.db, chat.id, [say('only here')])
  expect(await listMessages(session.sessionId, session.chatId)).toEqual(session.messages)
  expect(await listMessages(session.sessionId, chat.id)).toHaveLength(5)
})

test('a pending question or approval counts as unanswered in the copy and stays pending in the original', async () => {
  const session = await openFilledChat(1)
  const call = { type: 'tool-bash', toolCallId: 'call_open', input: { command: 'rm x' } }
  const question = { type: 'tool-ask_user_question', toolCallId: 'call_ask', state: 'input-available', input: {} }
  const parts = [{ ...call, state: 'approval-requested', approval: { id: 'apr_1' } }, question]
  await fillChat(world.db, session.chatId, [say('go on'), { ...say('', 'assistant'), parts }])
  for (const to of ['chat', 'session']) {
    const copied = await copyChat(session, { to })
    const [last] = (await listMessages(copied.chat.sessionId, copied.chat.id)).slice(-1)
    expect(last?.parts).toEqual([
      { ...call, state: 'output-denied', approval: { id: 'apr_1', approved: false, reason: 'Not answered' } },
      { ...question, state: 'output-error', errorText: 'Not answered' },
    ])
  }
  expect((await listMessages(session.sessionId, session.chatId)).at(-1)?.parts).toEqual(parts)
})

test('a copy into a new session has the same title, model, organization and artist', async () => {
  const session = await openFilledChat()
  await world.db`update chats set title = 'Tour', model_id = 'local/other' where id = ${session.chatId}`
  const { session: made, chat } = await copyChat(session, { to: 'session' })
  expect(made?.id).not.toBe(session.sessionId)
  expect(made).toMatchObject({ userId: owner.id, lifecycleState: 'provisioning', sandboxState: null })
  expect(chat).toMatchObject({ sessionId: made?.id, title: 'Tour', modelId: 'local/other' })
  expect(await listMessages(made?.id ?? '', chat.id)).toEqual(session.messages)
})

test('a copy of a branch has the messages of that branch as its main branch', async () => {
  const session = await openFilledChat(1)
  const { chatId } = session
  const id = 'branch_01K9F3Q7ZV5T2M8X4C6B1N0WAH'
  const other = say('other answer', 'assistant')
  await world.db.begin(async (tx) => {
    const fork = await findPositionedMessage(tx, chatId, { id: session.messages[0]?.id ?? '' })
    const versionOf = session.messages[1]?.id ?? ''
    await insertBranch(tx, { id, chatId, kind: 'regenerate', versionOf, runId: 'wrun_2', fork, restore: undefined })
  })
  await fillChat(world.db, chatId, [other])
  const selected = await copyChat(session)
  expect(await listMessages(session.sessionId, selected.chat.id)).toEqual([session.messages[0], other])
  const main = await copyChat(session, { branch: 'main' })
  expect(await listMessages(session.sessionId, main.chat.id)).toEqual(session.messages)
})

test('an unfinished message cannot be copied, but earlier messages can', async () => {
  const session = await openFilledChat(1)
  const { chatId, sessionId } = session
  const runId = await acceptRun(world.db, { accountId: owner.id, sessionId, chatId })
  const [run] = await world.db<{ id: string }[]>`select assistant_message_id as id from runs where id = ${runId}`
  await fillChat(world.db, chatId, [{ ...say('so f', 'assistant'), id: run?.id ?? '' }])
  expect(await tryCopy(session)).toMatchObject({
    status: 409,
    body: { error: 'This message is still being written' },
  })
  const { chat } = await copyChat(session, { messageId: session.messages[1]?.id })
  expect(await listMessages(sessionId, chat.id)).toEqual(session.messages)
})

test('a repeated Idempotency-Key creates one copy', async () => {
  const session = await openFilledChat(1)
  const headers = { 'idempotency-key': 'one' }
  expect((await copyChat(session, {}, headers)).chat.id).toBe((await copyChat(session, {}, headers)).chat.id)
})

test.each([
  ['messageId', { messageId: 'absent' }],
  ['branch', { branch: 'branch_nobody' }],
  ['to', { to: 'account' }],
])('an invalid %s is rejected and creates no chat', async (member, body) => {
  const session = await openFilledChat(1)
  expect(await tryCopy(session, body)).toMatchObject({ status: 400, body: { missing_fields: [member] } })
  const { body: listed } = await world.request<{ chats: object[] }>('GET', session.path, { key: owner.key })
  expect(listed.chats).toHaveLength(1)
})

test('an empty chat and the chat of another account cannot be copied', async () => {
  const session = await openSession()
  expect((await tryCopy(session)).status).toBe(400)
  expect((await tryCopy({ ...session, account: outsider })).status).toBe(403)
})
