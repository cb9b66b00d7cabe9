import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFakeModel, type FakeModel } from '../../world/models/fake-model.ts'
import { listFaults, readTranscript, listTypes } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { createChatApi, userMessage, type OpenChat } from '../chat-api.ts'
import { listBranchFrames, listTexts, createVersionsApi } from './chat-versions.ts'

let world: World
let model: FakeModel
let chatApi: ReturnType<typeof createChatApi>
let versions: ReturnType<typeof createVersionsApi>
beforeAll(async () => {
  model = await createFakeModel()
  world = await createWorld({
    settings: { MODEL_BASE_URL: model.url, DEFAULT_MODEL: 'custom/chat', SMALL_MODEL: 'custom/small' },
  })
  chatApi = createChatApi(world)
  versions = createVersionsApi(world)
})
afterAll(async () => {
  await world.close()
  await model.close()
})

const regenerate = { trigger: 'regenerate-message' }

/** Opens a chat and sends this number of messages. The history is `q1`, `a1`, `q2`, `a2` and so on. */
const openChatWithAnswers = async (rounds: number): Promise<OpenChat & { ids: string[] }> => {
  const chat = await chatApi.openChatWithoutCommands()
  for (let round = 1; round <= rounds; round++) {
    model.next({ text: `a${round}` })
    await chatApi.send(chat, '', { messages: [{ ...userMessage(`q${round}`), id: `q${round}` }] })
  }
  return { ...chat, ids: (await versions.readHistory(chat)).messages.map(({ id }) => id) }
}

/** Returns the last prompt of the model, without its system message. */
const readLastPrompt = (): unknown[] => {
  const prompt = model.requests.at(-1)?.body.messages as { role: string; content: string | { text: string }[] }[]
  return prompt
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => (typeof content === 'string' ? content : content[0]?.text))
}

describe('a regenerated answer', () => {
  test('begins a branch from the stored messages and leaves the earlier answer unchanged', async () => {
    const chat = await openChatWithAnswers(2)
    const before = await versions.readHistory(chat)
    model.next({ text: 'a2 again' })
    const transcript = await versions.send(chat, { ...regenerate, messageId: chat.ids[3] })
    expect(listFaults(transcript)).toEqual([])
    expect(listTypes(transcript).slice(0, 3)).toEqual(['start', 'data-branch', 'start-step'])
    expect(readLastPrompt()).toEqual(['q1', 'a1', 'q2'])
    const after = await versions.readHistory(chat)
    expect(listTexts(after)).toEqual(['q1', 'a1', 'q2', 'a2 again'])
    expect(listBranchFrames(transcript)).toEqual([{ branch: after.branch, versionOf: chat.ids[3], files: 'kept' }])
    expect(after.messages.at(-1)?.parts.some(({ type }) => type === 'data-branch')).toBe(false)
    expect((await versions.readHistory(chat, '?branch=main')).messages).toEqual(before.messages)
  })

  test('of an earlier message continues from that message, as does the next message', async () => {
    const chat = await openChatWithAnswers(2)
    model.next({ text: 'a1 again' }, { text: 'a3' })
    await versions.send(chat, { ...regenerate, messageId: chat.ids[1] })
    expect(readLastPrompt()).toEqual(['q1'])
    await chatApi.send(chat, 'q3')
    expect(listTexts(await versions.readHistory(chat))).toEqual(['q1', 'a1 again', 'q3', 'a3'])
    expect(listTexts(await versions.readHistory(chat, '?branch=main'))).toEqual(['q1', 'a1', 'q2', 'a2'])
  })

  test('without a messageId answers the last message', async () => {
    const chat = await openChatWithAnswers(2)
    model.next({ text: 'a2 again' })
    await versions.send(chat, { ...regenerate, messages: [{ ...userMessage('q2'), id: 'q2' }] })
    expect(listTexts(await versions.readHistory(chat))).toEqual(['q1', 'a1', 'q2', 'a2 again'])
  })

  test('to a message that is not stored is the first answer to that message', async () => {
    const chat = await openChatWithAnswers(1)
    model.next({ text: 'a2' })
    const transcript = await versions.send(chat, { ...regenerate, messages: [userMessage('q2')] })
    expect(listBranchFrames(transcript)).toEqual([])
    expect(listTexts(await versions.readHistory(chat))).toEqual(['q1', 'a1', 'q2', 'a2'])
  })

  test('includes the instructions of the request', async () => {
    const chat = await openChatWithAnswers(1)
    const messages = [{ id: 's', role: 'system', content: 'Answer in verse' }, userMessage('other words')]
    await versions.send(chat, { ...regenerate, messageId: chat.ids[1], messages })
    expect(readLastPrompt()).toEqual(['q1'])
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('Answer in verse')
  })
})

describe('an edited message', () => {
  test('is answered on a new branch, and another edit creates a branch at the same position', async () => {
    const chat = await openChatWithAnswers(2)
    model.next({ text: 'b2' }, { text: 'c2' })
    await versions.send(chat, { editOf: 'q2', messages: [{ ...userMessage('other q2'), id: 'q2b' }] })
    expect(readLastPrompt()).toEqual(['q1', 'a1', 'other q2'])
    await versions.send(chat, { editOf: 'q2b', messages: [{ ...userMessage('third q2'), id: 'q2c' }] })
    expect(listTexts(await versions.readHistory(chat))).toEqual(['q1', 'a1', 'third q2', 'c2'])
    const [main, second, third] = await versions.list(chat)
    expect([main, second, third]).toMatchObject([
      { id: 'main', kind: 'main', parentId: null, afterMessageId: null, selected: false, files: null },
      { kind: 'edit', parentId: 'main', afterMessageId: chat.ids[1], versionOf: 'q2', selected: false },
      { kind: 'edit', parentId: 'main', afterMessageId: chat.ids[1], versionOf: 'q2b', selected: true },
    ])
    expect(listTexts(await versions.readHistory(chat, `?branch=${second?.id}`))).toEqual(['q1', 'a1', 'other q2', 'b2'])
  })

  test('may be the first message, whose branch shares no messages', async () => {
    const chat = await openChatWithAnswers(1)
    model.next({ text: 'b1' })
    await versions.send(chat, { editOf: 'q1', messages: [userMessage('other q1')] })
    expect(readLastPrompt()).toEqual(['other q1'])
    expect(listTexts(await versions.readHistory(chat))).toEqual(['other q1', 'b1'])
    expect((await versions.list(chat))[1]).toMatchObject({ parentId: 'main', afterMessageId: null })
  })

  test('is stored on a new branch for each new text that a client sends with the same id', async () => {
    const chat = await openChatWithAnswers(2)
    for (const text of ['second', 'third']) {
      model.next({ text: `on ${text}` })
      await versions.send(chat, {
        trigger: 'submit-message',
        messageId: 'q2',
        messages: [{ ...userMessage(text), id: 'q2' }],
      })
    }
    const shown = await versions.readHistory(chat)
    expect(listTexts(shown)).toEqual(['q1', 'a1', 'third', 'on third'])
    expect(shown.messages[2]?.id).not.toBe('q2')
    expect(listTexts(await versions.readHistory(chat, '?branch=main'))).toEqual(['q1', 'a1', 'q2', 'a2'])
    model.next({ text: 'once more' })
    await versions.send(chat, { ...regenerate, messages: [{ ...userMessage('third'), id: 'q2' }] })
    expect(readLastPrompt()).toEqual(['q1', 'a1', 'third'])
  })
})

describe('the branches of a chat', () => {
  test('are selected one at a time, and new messages continue the selected branch', async () => {
    const chat = await openChatWithAnswers(1)
    model.next({ text: 'a1 again' }, { text: 'a2' })
    await versions.send(chat, { ...regenerate, messageId: chat.ids[1] })
    expect(await versions.select(chat, 'main')).toMatchObject({ id: 'main', selected: true })
    await chatApi.send(chat, 'q2')
    expect(listTexts(await versions.readHistory(chat))).toEqual(['q1', 'a1', 'q2', 'a2'])
    const [, again] = await versions.list(chat)
    expect(listTexts(await versions.readHistory(chat, `?branch=${again?.id}`))).toEqual(['q1', 'a1 again'])
    expect(await versions.select(chat, again?.id ?? '')).toMatchObject({ selected: true })
  })

  test('can be nested, and share the messages before their version', async () => {
    const chat = await openChatWithAnswers(1)
    for (const round of [2, 3, 4]) {
      model.next({ text: `b${round - 1}` }, { text: `a${round}` })
      const { messages } = await versions.readHistory(chat)
      await versions.send(chat, { ...regenerate, messageId: messages.at(-1)?.id })
      await chatApi.send(chat, `q${round}`)
    }
    expect(listTexts(await versions.readHistory(chat))).toEqual(['q1', 'b1', 'q2', 'b2', 'q3', 'b3', 'q4', 'a4'])
    const branches = await versions.list(chat)
    expect(branches.map(({ parentId }) => parentId)).toEqual([null, 'main', branches[1]?.id, branches[2]?.id])
    const { messages } = await versions.readHistory(chat)
    const pages = await Promise.all(
      messages
        .slice(1)
        .map(({ id }, at) => versions.readHistory(chat, `?limit=1&before=${id}`).then((page) => [page, at] as const)),
    )
    for (const [page, at] of pages) expect(page.messages).toEqual([messages[at]])
  })

  test('state their costs, which add up to the cost of the chat', async () => {
    const chat = await openChatWithAnswers(2)
    model.next({ text: 'a2 again' })
    await versions.send(chat, { ...regenerate, messageId: chat.ids[3] })
    const [main, again] = await versions.list(chat)
    expect(main?.usage).toEqual({ inputTokens: 24, cachedInputTokens: 0, outputTokens: 10 })
    expect(again?.usage).toEqual({ inputTokens: 12, cachedInputTokens: 0, outputTokens: 5 })
    const [charged] = await world.db<{ credits: number }[]>`
      select sum(credits)::bigint as credits from usage_events where account_id = ${chat.account.id}`
    expect((main?.credits ?? 0) + (again?.credits ?? 0)).toBe(charged?.credits)
  })

  test('have separate open questions', async () => {
    const chat = await openChatWithAnswers(1)
    const question = { questions: [{ question: 'Which?', header: 'Which', options: [1, 2].map(createOption) }] }
    model.next({ calls: [{ name: 'ask_user_question', arguments: question }] })
    await chatApi.send(chat, 'q2')
    const asked = (await versions.readHistory(chat)).messages.at(-1)
    model.next({ text: 'a2 without asking' }, { text: 'a3' })
    await versions.send(chat, { ...regenerate, messageId: asked?.id })
    const answered = {
      ...asked,
      parts: asked?.parts.map((part) => ({ ...part, state: 'output-available', output: { declined: true } })),
    }
    const refused = await versions.post(chat, { messages: [answered] })
    expect([refused.status, await refused.json()]).toMatchObject([400, { missing_fields: ['messages'] }])
    await chatApi.send(chat, 'q3')
    await versions.select(chat, 'main')
    expect((await versions.readHistory(chat)).messages.at(-1)?.parts.at(-1)).toMatchObject({ state: 'input-available' })
    model.next({ text: 'answered' })
    await versions.send(chat, { messages: [answered] })
    expect(listTexts(await versions.readHistory(chat))).toEqual(['q1', 'a1', 'q2', 'answered'])
  })

  test('are only available to the owner of the chat', async () => {
    const chat = await openChatWithAnswers(1)
    const outsider = await world.makeAccount()
    const path = `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`
    expect((await world.request('GET', `${path}/branches`, { key: outsider.key })).status).toBe(403)
    expect((await world.request('POST', `${path}/branches/main/select`, { key: outsider.key })).status).toBe(403)
    expect(await versions.trySelect(chat, 'branch_x')).toMatchObject({
      status: 404,
      body: { error: 'Branch not found' },
    })
    expect(await world.request('GET', `${path}?branch=x`, { key: chat.account.key })).toMatchObject({
      status: 400,
      body: { missing_fields: ['branch'] },
    })
  })
})

const createOption = (number: number) => ({ label: `Option ${number}`, description: '' })

test.each([
  ['messageId', { ...regenerate, messageId: 'absent' }],
  ['editOf', { editOf: 'absent' }],
  ['editOf', { ...regenerate, editOf: 'q1' }],
  ['restoreFiles', { restoreFiles: true }],
  ['messages', { ...regenerate, messages: [{ id: 'a', role: 'assistant', parts: [answeredPart()] }] }],
])('an invalid %s is rejected, and no branch is created', async (member, members) => {
  const chat = await openChatWithAnswers(1)
  const response = await versions.post(chat, members)
  expect([response.status, await response.json()]).toMatchObject([400, { missing_fields: [member] }])
  expect(await versions.list(chat)).toHaveLength(1)
  expect((await chatApi.load(chat)).chat.activeStreamId).toBeNull()
})

function answeredPart() {
  return { type: 'tool-ask_user_question', toolCallId: 'c', state: 'output-available', output: {} }
}

test('a message of another branch can be neither regenerated nor replaced until that branch is selected', async () => {
  const chat = await openChatWithAnswers(1)
  await versions.send(chat, { ...regenerate, messageId: chat.ids[1] })
  expect((await versions.post(chat, { ...regenerate, messageId: chat.ids[1] })).status).toBe(400)
  await versions.select(chat, 'main')
  await versions.send(chat, { ...regenerate, messageId: chat.ids[1] })
  expect(await versions.list(chat)).toHaveLength(3)
})

test('an active run keeps its branch selected and prevents another version', async () => {
  const chat = await openChatWithAnswers(1)
  model.next({ text: 'slow words '.repeat(50), wordsPerSecond: 20 })
  const activeResponse = await versions.post(chat, { ...regenerate, messageId: chat.ids[1] })
  const runId = activeResponse.headers.get('x-workflow-run-id')
  await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length > 4)
  expect(await versions.trySelect(chat, 'main')).toMatchObject({
    status: 409,
    body: { error: 'A response is already streaming for this chat' },
  })
  const refused = await versions.post(chat, { ...regenerate, messageId: chat.ids[1] })
  expect([refused.status, refused.headers.get('x-workflow-run-id')]).toEqual([409, runId])
  expect((await chatApi.stop(chat)).status).toBe(200)
  await activeResponse.body?.cancel()
  const branches = await versions.list(chat)
  expect(branches).toMatchObject([{ id: 'main' }, { runId, selected: true }])
  await versions.select(chat, 'main')
  expect(listTexts(await versions.readHistory(chat))).toEqual(['q1', 'a1'])
})

test('a repeated Idempotency-Key creates one branch', async () => {
  const chat = await openChatWithAnswers(1)
  const members = { ...regenerate, messageId: chat.ids[1], messages: [userMessage('q1')] }
  const send = () =>
    chatApi.send(chat, '', { headers: { 'idempotency-key': 'again' }, messages: members.messages, members })
  const first = await send()
  expect(await send()).toEqual(first)
  expect(listBranchFrames(first)).toHaveLength(1)
  expect(await versions.list(chat)).toHaveLength(2)
})
