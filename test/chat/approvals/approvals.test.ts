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
  test('ends the turn; once approved, it is executed once within the same message', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    const first = await chatApi.send(chat, '$ echo once >> count.txt && cat count.txt')
    expect(listFaults(first)).toEqual([])
    expect(listTypes(first).slice(-4)).toEqual(['tool-approval-request', 'message-metadata', 'finish-step', 'finish'])
    expect(listFrames(first).at(-1)).toMatchObject({ messageMetadata: { endReason: 'awaiting_user' } })
    expect(await api.listWaiting(chat)).toEqual([chat.chatId])
    const [request] = await api.requests(chat)
    const approval = { id: expect.stringMatching(/^apr_/) }
    expect(request).toMatchObject({ state: 'approval-requested', approval, input: { command: expect.any(String) } })

    const continued = await api.answerAndRead(chat, { approved: true })
    expect(listFaults(continued)).toEqual([])
    expect(listFrames(continued)[0]).toEqual({ type: 'start', messageId: (await api.messages(chat))[1]?.id })
    expect(listTypes(continued).slice(0, 3)).toEqual(['start', 'tool-output-available', 'start-step'])
    expect(listOutputs(continued).map(({ output }) => output)).toMatchObject([{ success: true, stdout: 'once\n' }])
    expect(shownText(continued)).toContain('once')
    expect(await toolPart(chat)).toMatchObject({
      state: 'output-available',
      approval: { ...approval, approved: true },
      output: { stdout: 'once\n' },
    })
    expect(await api.messages(chat)).toHaveLength(2)
    expect(await api.listWaiting(chat)).toEqual([])
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

  test('is not executed if it is denied, and the model receives the reason', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    await chatApi.send(chat, '$ echo no > denied.txt')
    const continued = await api.answerAndRead(chat, { approved: false, reason: 'Not on a Friday' })
    expect(listFaults(continued)).toEqual([])
    expect(listTypes(continued).slice(0, 3)).toEqual(['start', 'tool-output-denied', 'start-step'])
    expect(shownText(continued)).toContain('The user denied this call: Not on a Friday')
    expect(await toolPart(chat)).toMatchObject({
      state: 'output-denied',
      approval: { approved: false, reason: 'Not on a Friday' },
    })
    expect(shownText(await chatApi.send(chat, '@read denied.txt'))).toMatch(/does not exist|no such|not found/i)
  })

  test('waits while calls without approval run, and is denied if it stays unanswered', async () => {
    const chat = await openWithApprovals({ commands: ['git  push*origin', 'rm '] })
    const first = await chatApi.send(chat, '$ echo free\n$ cd . && git push -q origin\n$ rm -f x')
    expect(listOutputs(first)).toHaveLength(1)
    expect(await api.requests(chat)).toHaveLength(2)
    const continued = await api.answerAndRead(chat, { approved: true })
    expect(listOutputs(continued)).toHaveLength(1)
    expect(listTypes(continued).filter((type) => type === 'tool-output-denied')).toHaveLength(1)
    expect(shownText(continued)).toContain('The user denied this call: Not answered')
    expect(listFaults(continued)).toEqual([])
  })

  test('is skipped by a new message and cannot be approved afterwards', async () => {
    const chat = await openWithApprovals({ tools: ['b*h'] })
    await chatApi.send(chat, '$ echo never')
    const late = await api.withAnswers(chat, [{ approved: true }])
    await chatApi.send(chat, 'Never mind')
    expect(await toolPart(chat)).toMatchObject({ state: 'output-denied', approval: { reason: 'Not answered' } })
    expect((await chatApi.post(chat, '', { messages: late })).status).toBe(400)
  })

  test('ends as cancelled if it is stopped while it runs', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    await chatApi.send(chat, '$ sleep 60')
    const response = await api.answer(chat, { approved: true })
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    const reading = readTranscript(response)
    await eventually('the start of the call', async () => {
      const begun = await world.db`select 1 from run_tool_calls where run_id = ${runId} and started_at is not null`
      return begun.length > 0 || undefined
    })
    expect((await chatApi.stop(chat)).status).toBe(200)
    const stopped = await reading
    expect([listFaults(stopped), listTypes(stopped)]).toEqual([[], ['start', 'tool-output-error', 'abort', 'finish']])
    expect(await toolPart(chat)).toMatchObject({ state: 'output-error', errorText: 'Cancelled' })
  })

  test('is rejected for a sub-agent, which reports it to its parent', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    const transcript = await chatApi.send(chat, '@task $ echo hidden')
    expect(JSON.stringify(listFrames(transcript))).toContain('which a sub-agent cannot request')
    expect(await api.requests(chat)).toEqual([])
  })

  test('cannot be approved with the key of a run', async () => {
    const chat = await openWithApprovals({ tools: ['bash'] })
    await chatApi.send(chat, '$ echo mine')
    const key = await world.makeKey(chat.account.id, { expiresAt: new Date(Date.now() + 60_000) })
    const withRunKey = { ...chat, account: { ...chat.account, key } }
    const messages = await api.withAnswers(chat, [{ approved: true }])
    expect((await chatApi.post(withRunKey, '', { messages })).status).toBe(403)
    expect((await api.sendRequest(withRunKey, null)).status).toBe(403)
    expect(await api.requests(chat)).toHaveLength(1)
  })
})

describe('the approvals of a session', () => {
  test('can be set and removed', async () => {
    const chat = await chatApi.openChatWithoutCommands()
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
  ])('with %j are rejected with an error that names the field', async (approvals, field) => {
    const response = await api.sendRequest(await chatApi.openChatWithoutCommands(), approvals)
    expect([response.status, (response.body as { missing_fields?: unknown }).missing_fields]).toEqual([400, field])
  })
})

const untilEnded = (runId: string) =>
  eventually('the end of the run', async () => {
    const [run] = await world.db<{ endReason: string | null }[]>`select end_reason from runs where id = ${runId}`
    return run?.endReason ?? undefined
  })

type StartedRun = { runId: string; chatId: string; sessionId: string }

const start = async (approvals: object): Promise<OpenChat & { runId: string }> => {
  const account = await world.makeAccount()
  const body = { prompt: '$ echo alone', approvals }
  const { body: started } = await world.request<StartedRun>('POST', '/api/chat/runs', { key: account.key, body })
  await untilEnded(started.runId)
  return { account, ...started }
}

describe('a headless run', () => {
  test('continues immediately with the call denied', async () => {
    const chat = await start({ tools: ['bash'] })
    expect(await untilEnded(chat.runId)).toBe('natural')
    expect(await toolPart(chat)).toMatchObject({
      state: 'output-error',
      errorText: expect.stringMatching(/a headless run has no user/),
    })
  })

  test('may wait for the answer, and then continues like any other run', async () => {
    const chat = await start({ tools: ['bash'], headless: 'wait' })
    expect(await untilEnded(chat.runId)).toBe('awaiting_user')
    const ready = await world.request('POST', '/api/sandbox', {
      key: chat.account.key,
      body: { sessionId: chat.sessionId },
    })
    expect(ready.status).toBe(200)
    expect(listOutputs(await api.answerAndRead(chat, { approved: true }))).toHaveLength(1)
  })

  test('continues without the call if no answer arrives before the timeout', async () => {
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

test('a run started with the key of another run inherits the approvals and the step limit of that run', async () => {
  const chat = await openWithApprovals({ tools: ['bash'] })
  const otherChat = await chatApi.openChatWithoutCommands(chat.account)
  const response = await chatApi.post(chat, '@stall')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const secret = world.config.SERVER_SECRET ?? ''
  await insertRunKey(world.db, secret, runId)
  const byRun = { ...otherChat, account: { ...otherChat.account, key: deriveRunKey(secret, runId) } }
  const first = await chatApi.send(byRun, '$ echo unasked')
  expect(listTypes(first)).toContain('tool-approval-request')
  expect(listOutputs(first)).toEqual([])
  // The continued run keeps the inherited approvals although a person answered.
  const continued = await api.answerAndRead(otherChat, { approved: false })
  expect(listFaults(continued)).toEqual([])
  const [last] = await world.db<{ inherited: object }[]>`
    select inherited from runs where chat_id = ${otherChat.chatId} order by created_at desc limit 1`
  expect(last?.inherited).toMatchObject({ runId, approvals: { tools: ['bash'] }, limits: null })

  const limit = world.config.STEP_LIMIT
  await world.db`
    insert into run_steps (run_id, step, attempt, finish_reason, goes_on, model_id)
    values (${runId}, ${limit - 2}, 1, 'tool-calls', true, 'local/assistant')`
  const short = await chatApi.send(byRun, '@read a\n---\n@read b\n---\n@say done')
  expect(listFrames(short).at(-1)).toMatchObject({ messageMetadata: { endReason: 'step_limit' } })
  expect((await chatApi.stop(chat)).status).toBe(200)
  await response.body?.cancel()
})

test('the runs of a task require the approvals that the task lists', async () => {
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
