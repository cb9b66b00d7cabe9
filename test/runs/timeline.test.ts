import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteExpired } from '../../db/retention.ts'
import { createChatApi, untilFound } from '../chat/chat-api.ts'
import { createTasksApi } from '../tasks/tasks-api.ts'
import { readTranscript } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createRunsApi } from './runs-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

const { list, timeline } = createRunsApi(() => world)

const say = async (chat: Awaited<ReturnType<typeof chatApi.openChat>>, content: string): Promise<string> => {
  const response = await chatApi.post(chat, content)
  await readTranscript(response)
  return response.headers.get('x-workflow-run-id') ?? ''
}

test('an ended turn shows its waiting time, steps, tool calls and sub-agents with their times', async () => {
  const chat = await chatApi.openChat()
  const runId = await say(chat, '@task $ echo from below ;; --- ;; @say The sandbox answers.')
  const { run, job, entries, isTruncated, isExpired, keptUntil } = await timeline(chat.account, runId)
  expect(run).toMatchObject({ id: runId, kind: 'turn', status: 'completed', endReason: 'natural', error: null })
  expect(run).toMatchObject({
    sessionId: chat.sessionId,
    chatId: chat.chatId,
    modelId: 'local/assistant',
    source: 'api',
  })
  expect({ job, isTruncated, isExpired }).toEqual({ job: null, isTruncated: false, isExpired: false })
  expect(Date.parse(keptUntil ?? '') - Date.parse(run.endedAt ?? '')).toBe(30 * 24 * 60 * 60 * 1000)
  const summaries = entries.map(({ kind, name, status }) => `${kind} ${name} ${status}`)
  expect(summaries).toEqual([
    'wait queue completed',
    'step 1 completed',
    'tool task completed',
    'step 1 completed',
    'tool bash completed',
    'step 2 completed',
    'step 2 completed',
  ])
  const [, step, task, subStep, bash] = entries
  expect([task?.parentId, subStep?.parentId, bash?.parentId]).toEqual([step?.id, task?.id, subStep?.id])
  expect(step?.model).toMatchObject({ modelId: 'local/assistant', finishReason: 'tool-calls' })
  expect(step?.model?.inputTokens).toBeGreaterThan(0)
  expect(bash?.input).toBe('{"command":"echo from below"}')
  expect(bash?.output).toContain('from below\\n')
  for (const { startedAt, endedAt, durationMs } of entries) {
    expect(startedAt! <= endedAt!).toBe(true)
    expect(durationMs).toBeGreaterThanOrEqual(0)
  }
  const ids = entries.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a step shows its failed attempt and the pause after it', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const runId = await say(chat, '@cut 2\n@say The next show is on 12 March.')
  const { entries } = await timeline(chat.account, runId)
  expect(entries.map(({ kind, name, status }) => `${kind} ${name} ${status}`)).toEqual([
    'wait queue completed',
    'step 1 completed',
    'attempt 1 failed',
    'wait retry completed',
  ])
  const [, step, attempt, wait] = entries
  expect(step?.attempt).toBe(2)
  expect(attempt?.error).toEqual({ name: 'AttemptFailed', message: 'The model call failed' })
  expect(step?.startedAt).toBe(attempt?.startedAt)
  expect(wait).toMatchObject({ parentId: step?.id, startedAt: attempt?.endedAt })
  expect(wait?.durationMs).toBeGreaterThan(500)
})

test('a step that failed permanently shows the reason', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const { run, entries } = await timeline(chat.account, await say(chat, '@badrequest'))
  expect(run).toMatchObject({ status: 'failed', error: { name: 'RunFailed', message: 'The model call failed' } })
  expect(entries.at(-1)).toMatchObject({ kind: 'step', status: 'failed', error: { message: 'The model call failed' } })
})

test('a running turn shows its running step, and a stop ends the step as cancelled', async () => {
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '$ sleep 30')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await untilFound(
    'a running command of a running turn',
    () => world.db`
    select 1 from run_tool_calls join runs on runs.id = run_id
    where run_id = ${runId} and run_tool_calls.started_at is not null and status = 'running'`,
  )
  const runningTimeline = await timeline(chat.account, runId)
  expect(runningTimeline.run).toMatchObject({ status: 'running', cancellable: true, endedAt: null })
  expect(runningTimeline.entries.at(-1)).toMatchObject({ kind: 'tool', name: 'bash', status: 'running', endedAt: null })
  expect(runningTimeline.keptUntil).toBeNull()
  expect((await chatApi.stop(chat)).status).toBe(200)
  await reading
  const { run, entries } = await timeline(chat.account, runId)
  expect(run).toMatchObject({ status: 'cancelled', cancellable: false })
  expect(entries.find(({ kind }) => kind === 'tool')).toMatchObject({ status: 'cancelled', endedAt: run.endedAt })
})

test('a question is shown as waiting until it is answered', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const runId = await say(chat, '@ask Which city?|Berlin|Paris')
  const before = await timeline(chat.account, runId)
  expect(before.run.endReason).toBe('awaiting_user')
  expect(before.entries.at(-1)).toMatchObject({ kind: 'wait', name: 'user', status: 'waiting', endedAt: null })
  await say(chat, 'Never mind.')
  const { entries } = await timeline(chat.account, runId)
  expect(entries.at(-1)).toMatchObject({ name: 'user', status: 'completed', endedAt: expect.any(String) })
})

test('a job shows its attempts and the turn that it waits for', async () => {
  const account = await world.makeAccount()
  const { id: taskId } = await createTasksApi(world).make(account, { title: 'Weekly review', prompt: '@say Done.' })
  const startResponse = await world.request<{ runId: string }>('POST', '/api/tasks/runs', {
    key: account.key,
    body: { id: taskId },
  })
  const { runId } = startResponse.body
  const endedRun = await eventually('the end of the run', async () => {
    const read = await timeline(account, runId)
    return read.run.endedAt === null ? undefined : read
  })
  expect(endedRun.run).toMatchObject({ kind: 'scheduled-task', status: 'completed', taskId, title: 'Weekly review' })
  expect(endedRun.job).toMatchObject({
    payload: { externalId: taskId },
    output: { workflowRunId: endedRun.run.childRunId },
  })
  expect(endedRun.entries.map(({ kind, name, status }) => `${kind} ${name} ${status}`)).toEqual([
    'wait queue completed',
    'attempt 1 completed',
    'wait run completed',
  ])
  const child = await timeline(account, endedRun.run.childRunId ?? '')
  expect(child.run).toMatchObject({ kind: 'turn', parentRunId: runId, sessionId: endedRun.run.sessionId })
  expect((await list(account)).runs.map(({ id }) => id)).toEqual([runId])
  expect((await list(account, { children: 'true' })).runs.map(({ id }) => id).toSorted()).toEqual(
    [runId, child.run.id].toSorted(),
  )
  expect((await list(account, { task_id: taskId })).runs.map(({ id }) => id)).toEqual([runId])
  expect((await list(account, { tag: `task:${taskId}` })).runs.map(({ id }) => id)).toEqual([runId])
})

test('the steps of a turn are deleted after their retention period, but the turn is still listed', async () => {
  const chat = await chatApi.openChat()
  const runId = await say(chat, '$ true')
  await world.db`
    update runs set created_at = created_at - interval '31 days', ended_at = ended_at - interval '31 days'
    where id = ${runId}`
  await world.db`update run_steps set created_at = created_at - interval '31 days' where run_id = ${runId}`
  const rows = () => world.db`
    select 'step' as what from run_steps where run_id = ${runId}
    union all select 'call' from run_tool_calls where run_id = ${runId}`
  expect(await rows()).toHaveLength(3)
  const days = {
    auditDays: 400,
    paymentEventDays: 400,
    mailLogDays: 400,
    jobDays: 180,
    embeddedDays: 30,
    postDays: undefined,
  }
  await deleteExpired(world.deps.db, { ...days, timelineDays: 40 })
  expect(await rows()).toHaveLength(3)
  expect((await timeline(chat.account, runId)).entries).toEqual([])
  await deleteExpired(world.deps.db, { ...days, timelineDays: 30 })
  expect((await rows()).filter(({ what }) => what === 'step')).toEqual([])
  expect((await timeline(chat.account, runId)).isExpired).toBe(true)
  expect((await list(chat.account)).runs.map(({ id }) => id)).toEqual([runId])
})

test('a request for a run of another account returns 404', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const runId = await say(chat, '@say mine')
  const outsider = await world.makeAccount()
  for (const id of [runId, 'wrun_unknown'])
    expect(await world.request('GET', `/api/runs/${id}/timeline`, { key: outsider.key })).toMatchObject({
      status: 404,
      body: { status: 'error', error: 'Run not found' },
    })
})
