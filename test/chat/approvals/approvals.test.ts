import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertRunKey, deriveRunKey } from '../../../db/runs/keys.ts'
import {
  listFaults,
  listFrames,
  readTranscript,
  shownText,
  listTypes,
  type Transcript,
} from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi, type OpenChat } from '../chat-api.ts'
import { createApprovalsApi } from './approvals-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
let api: ReturnType<typeof createApprovalsApi>
beforeAll(async () => {
  world = await createWorld({ settings: { SANDBOX_PROVIDER: 'just-bash' } })
  chatApi = createChatApi(world)
  api = createApprovalsApi(world, chatApi)
})
afterAll(() => world.close())

const openWithApprovals = async (approvals: object): Promise<OpenChat> => {
  const chat = await chatApi.openChat()
  expect((await api.sendRequest(chat, approvals)).status).toBe(200)
  return chat
}

const listOutputs = (transcript: Transcript) =>
  listFrames(transcript).filter(({ type }) => type === 'tool-output-available')

const toolPart = async (chat: OpenChat): Promise<Record<string, unknown> | undefined> =>
  (await api.messages(chat))[1]?.parts.find((part) => part['type'] === 'tool-bash')

describe('a call that needs approval', () => {
  test('ends the turn, and is executed once when it is approved, in the same message', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    const asked = await chatApi.send(chat, '$ echo once >> count.txt && cat count.txt')
    expect(listFaults(asked)).toEqual([])
    expect(listTypes(asked).slice(-4)).toEqual(['tool-approval-request', 'message-metadata', 'finish-step', 'finish'])
    expect(listFrames(asked).at(-1)).toMatchObject({ messageMetadata: { endReason: 'awaiting_user' } })
    expect(await api.waiting(chat)).toEqual([chat.chatId])
    const [request] = await api.requests(chat)
    const approval = { id: expect.stringMatching(/^apr_/) }
    expect(request).toMatchObject({ state: 'approval-requested', approval, input: { command: expect.any(String) } })

    const goneOn = await api.goOn(chat, { approved: true })
    expect(listFaults(goneOn)).toEqual([])
    expect(listFrames(goneOn)[0]).toEqual({ type: 'start', messageId: (await api.messages(chat))[1]?.id })
    expect(listTypes(goneOn).slice(0, 3)).toEqual(['start', 'tool-output-available', 'start-step'])
    expect(listOutputs(goneOn).map(({ output }) => output)).toMatchObject([{ success: true, stdout: 'once\n' }])
    expect(shownText(goneOn)).toContain('once')
    expect(await toolPart(chat)).toMatchObject({
      state: 'output-available',
      approval: { ...approval, approved: true },
      output: { stdout: 'once\n' },
    })
    expect(await api.messages(chat)).toHaveLength(2)
    expect(await api.waiting(chat)).toEqual([])
    const charges = await world.db`select run_id from usage_events where account_id = ${chat.account.id}`
    expect(charges).toHaveLength(2)
    const twice = await chatApi.post(chat, '', {
      messages: (await api.messages(chat)).map((message) => ({
        ...message,
        parts: message.parts.map((part) => (part['approval'] ? { ...part, state: 'approval-responded' } : part)),
      })),
    })
    expect([twice.status, await twice.json()]).toMatchObject([400, { missing_fields: ['messages'] }])
  })

  test('is not made when it is denied, and the model receives the reason', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    await chatApi.send(chat, '$ echo no > denied.txt')
    const goneOn = await api.goOn(chat, { approved: false, reason: 'Not on a Friday' })
    expect(listFaults(goneOn)).toEqual([])
    expect(listTypes(goneOn).slice(0, 3)).toEqual(['start', 'tool-output-denied', 'start-step'])
    expect(shownText(goneOn)).toContain('The user denied this call: Not on a Friday')
    expect(await toolPart(chat)).toMatchObject({
      state: 'output-denied',
      approval: { approved: false, reason: 'Not on a Friday' },
    })
    expect(shownText(await chatApi.send(chat, '@read denied.txt'))).toMatch(/does not exist|no such|not found/i)
  })

  test('waits beside calls that need none; calls left without an answer are not made', async () => {
    const chat = await openWithApprovals({ commands: ['git  push*origin', 'rm '] })
    const asked = await chatApi.send(chat, '$ echo free\n$ cd . && git push -q origin\n$ rm -f x')
    expect(listOutputs(asked)).toHaveLength(1)
    expect(await api.requests(chat)).toHaveLength(2)
    const goneOn = await api.goOn(chat, { approved: true })
    expect(listOutputs(goneOn)).toHaveLength(1)
    expect(listTypes(goneOn).filter((type) => type === 'tool-output-denied')).toHaveLength(1)
    expect(shownText(goneOn)).toContain('The user denied this call: Not answered')
    expect(listFaults(goneOn)).toEqual([])
  })

  test('is passed over by a new message, and cannot be approved after it', async () => {
    const chat = await openWithApprovals({ tools: ['b*h'] })
    await chatApi.send(chat, '$ echo never')
    const late = await api.answered(chat, [{ approved: true }])
    await chatApi.send(chat, 'Never mind')
    expect(await toolPart(chat)).toMatchObject({ state: 'output-denied', approval: { reason: 'Not answered' } })
    expect((await chatApi.post(chat, '', { messages: late })).status).toBe(400)
  })

  test('that is stopped while it runs ends as cancelled', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    await chatApi.send(chat, '$ sleep 60')
    const response = await api.answer(chat, { approved: true })
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    const reading = readTranscript(response)
    await eventually('the call has begun', async () => {
      const begun = await world.db`select 1 from run_tool_calls where run_id = ${runId} and started_at is not null`
      return begun.length > 0 || undefined
    })
    expect((await chatApi.stop(chat)).status).toBe(200)
    const stopped = await reading
    expect([listFaults(stopped), listTypes(stopped)]).toEqual([[], ['start', 'tool-output-error', 'abort', 'finish']])
    expect(await toolPart(chat)).toMatchObject({ state: 'output-error', errorText: 'Cancelled' })
  })

  test('is refused to a sub-agent, which the parent hears of', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    const transcript = await chatApi.send(chat, '@task $ echo hidden')
    expect(JSON.stringify(listFrames(transcript))).toContain('which a sub-agent cannot request')
    expect(await api.requests(chat)).toEqual([])
  })

  test('is approved by no run of the account', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    await chatApi.send(chat, '$ echo mine')
    const key = await world.makeKey(chat.account.id, { expiresAt: new Date(Date.now() + 60_000) })
    const ofRun = { ...chat, account: { ...chat.account, key } }
    const messages = await api.answered(chat, [{ approved: true }])
    expect((await chatApi.post(ofRun, '', { messages })).status).toBe(403)
    expect((await api.sendRequest(ofRun, null)).status).toBe(403)
    expect(await api.requests(chat)).toHaveLength(1)
  })
})

describe('the calls for which a session requires approval', () => {
  test('is shown and taken back', async () => {
    const chat = await chatApi.openTalk()
    const { status, body } = await api.sendRequest(chat, { commands: ['rm '] })
    const standard = { headless: 'deny', waitSeconds: 86_400 }
    expect([status, body.session.approvals]).toEqual([200, { tools: [], commands: ['rm '], ...standard }])
    expect((await api.sendRequest(chat, null)).body.session).not.toHaveProperty('approvals')
  })

  test.each([
    [{}, ['approvals', 'tools']],
    [{ tools: ['ask_user_question'] }, ['approvals', 'tools', 0]],
    [{ tools: ['no tool'] }, ['approvals', 'tools', 0]],
    [{ commands: [' '] }, ['approvals', 'commands', 0]],
    [{ tools: ['bash'], headless: 'allow' }, ['approvals', 'headless']],
    [{ tools: ['bash'], waitSeconds: 59 }, ['approvals', 'waitSeconds']],
    [{ tools: ['bash'], except: [] }, ['approvals', 'except']],
  ])('%j is refused with its field', async (approvals, field) => {
    const answer = await api.sendRequest(await chatApi.openTalk(), approvals)
    expect([answer.status, (answer.body as { missing_fields?: unknown }).missing_fields]).toEqual([400, field])
  })
})

const untilEnded = (runId: string) =>
  eventually('the end of the run', async () => {
    const [run] = await world.db<{ endReason: string | null }[]>`select end_reason from runs where id = ${runId}`
    return run?.endReason ?? undefined
  })

type Started = { runId: string; chatId: string; sessionId: string }

const start = async (approvals: object): Promise<OpenChat & { runId: string }> => {
  const account = await world.makeAccount()
  const body = { prompt: '$ echo alone', approvals }
  const { body: started } = await world.request<Started>('POST', '/api/chat/runs', { key: account.key, body })
  await untilEnded(started.runId)
  return { account, ...started }
}

describe('a headless run', () => {
  test('is denied the call immediately, and continues', async () => {
    const chat = await start({ tools: ['bash'] })
    expect(await untilEnded(chat.runId)).toBe('natural')
    expect(await toolPart(chat)).toMatchObject({
      state: 'output-error',
      errorText: expect.stringMatching(/a headless run has no user/),
    })
  })

  test('may wait for the answer, and then continues as any other', async () => {
    const chat = await start({ tools: ['bash'], headless: 'wait' })
    expect(await untilEnded(chat.runId)).toBe('awaiting_user')
    const ready = await world.request('POST', '/api/sandbox', {
      key: chat.account.key,
      body: { sessionId: chat.sessionId },
    })
    expect(ready.status).toBe(200)
    expect(listOutputs(await api.goOn(chat, { approved: true }))).toHaveLength(1)
  })

  test('continues without the call after the timeout if it gets no answer', async () => {
    const chat = await start({ tools: ['bash'], headless: 'wait', waitSeconds: 60 })
    const waited = await world.db`
      update run_tool_calls call set approval_expires_at = now() from runs
      where runs.id = ${chat.runId} and call.run_id = runs.id and call.approval_expires_at
        between runs.created_at + interval '60 s' and runs.ended_at + interval '60 s'`
    expect(waited.count).toBe(1)
    const part = await eventually('the denial', async () => {
      const found = await toolPart(chat)
      return found?.['state'] === 'output-denied' ? found : undefined
    })
    expect(part).toMatchObject({ approval: { approved: false, reason: 'The approval expired' } })
    const [next] = await world.db<{ id: string; headless: boolean }[]>`
      select id, headless from runs where chat_id = ${chat.chatId} and id <> ${chat.runId}`
    expect(next?.headless).toBe(true)
    expect(await untilEnded(next?.id ?? '')).toBe('natural')
    expect(JSON.stringify((await api.messages(chat))[1]?.parts)).toContain('The approval expired')
  })
})

test('a run that was started by its key asks for the approvals of that run, and ends within its steps', async () => {
  const chat = await openWithApprovals({ tools: ['bash'] })
  const talk = await chatApi.openTalk(chat.account)
  const response = await chatApi.post(chat, '@stall')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const secret = world.config.SERVER_SECRET ?? ''
  await insertRunKey(world.db, secret, runId)
  const byRun = { ...talk, account: { ...talk.account, key: deriveRunKey(secret, runId) } }
  const asked = await chatApi.send(byRun, '$ echo unasked')
  expect(listTypes(asked)).toContain('tool-approval-request')
  expect(listOutputs(asked)).toEqual([])
  // The run continues under the same approvals as the person who answers.
  const goneOn = await api.goOn(talk, { approved: false })
  expect(listFaults(goneOn)).toEqual([])
  const [last] = await world.db<{ inherited: object }[]>`
    select inherited from runs where chat_id = ${talk.chatId} order by created_at desc limit 1`
  expect(last?.inherited).toMatchObject({ runId, approvals: { tools: ['bash'] }, limits: null })

  const limit = world.config.STEP_LIMIT
  await world.db`
    insert into run_steps (run_id, step, attempt, finish_reason, model_id)
    values (${runId}, ${limit - 2}, 1, 'tool-calls', 'local/assistant')`
  const short = await chatApi.send(byRun, '@read a\n---\n@read b\n---\n@say done')
  expect(listFrames(short).at(-1)).toMatchObject({ messageMetadata: { endReason: 'step_limit' } })
  expect((await chatApi.stop(chat)).status).toBe(200)
  await response.body?.cancel()
})

test('a task asks for approval in its runs, and shows what for', async () => {
  const account = await world.makeAccount()
  const artist = await world.makeArtist({ rosterOf: account.id })
  const approvals = { tools: ['bash'], commands: [], headless: 'deny', waitSeconds: 60 }
  const task = { title: 'T', prompt: '$ echo alone', schedule: '0 0 1 1 *', artist_account_id: artist.id }
  type Tasks = { tasks: { id: string; approvals?: object }[] }
  const sent = { key: account.key, body: { ...task, approvals } }
  const made = await world.request<Tasks>('POST', '/api/tasks', sent)
  const { id } = made.body.tasks[0]!
  expect(made.body.tasks[0]?.approvals).toEqual(approvals)
  const runs = await world.request<{ runId: string }>('POST', `/api/tasks/runs`, {
    key: account.key,
    body: { id },
  })
  expect(runs.status).toBeLessThan(300)
  const denied = await eventually('the denied call', async () => {
    const [row] = await world.db<{ text: string }[]>`
      select p.part ->> 'errorText' as text from chat_message_parts p
      join chats on chats.id = p.chat_id join sessions on sessions.id = chats.session_id
      where sessions.account_id = ${account.id} and p.part ->> 'type' = 'tool-bash'`
    return row?.text
  })
  expect(denied).toContain('a headless run has no user')
  await eventually('the end of the run', async () => {
    const live = await world.db`
      select 1 from runs where account_id = ${account.id} and status in ('queued', 'running')`
    return live.length === 0 || undefined
  })
  const changed = await world.request<Tasks>('PATCH', '/api/tasks', { key: account.key, body: { id, approvals: null } })
  expect(changed.body.tasks[0]).not.toHaveProperty('approvals')
})
