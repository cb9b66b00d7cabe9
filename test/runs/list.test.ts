import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { debitAccount } from '../../db/credits/ledger.ts'
import { newJobId, newRunId } from '../../domain/fields/ids.ts'
import type { MessagePart } from '../../domain/chat/messages.ts'
import { fillChat, makeOwner, say } from '../world/sessions/session-rows.ts'
import { createScrapersApi } from '../scrapers/scrapers-api.ts'
import { openSession, useSessionWorld, world } from '../world/sessions/session-world.ts'
import type { TestAccount } from '../world/world.ts'
import { createRunsApi } from './runs-api.ts'

useSessionWorld()
const { list } = createRunsApi(() => world)

type Turn = {
  status?: string
  at: Date
  sessionId?: string
  chatId?: string
  jobId?: string
  endReason?: string
  messageId?: string
}

const addTurn = async ({ id }: TestAccount, { status = 'completed', at, ...fields }: Turn): Promise<string> => {
  const runId = newRunId()
  const endedAt = status === 'running' ? null : new Date(at.getTime() + 1500)
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id, created_at,
      started_at, ended_at, background_run_id, end_reason)
    values (${runId}, ${id}, ${fields.sessionId ?? randomUUID()}, ${fields.chatId ?? randomUUID()},
      ${fields.messageId ?? 'answer'}, ${status}, 'api', 'local/assistant', ${at}, ${at}, ${endedAt},
      ${fields.jobId ?? null}, ${fields.endReason ?? null})`
  return runId
}

const addJob = async ({ id }: TestAccount, fields: { kind: string; status: string; at: Date; tags?: string[] }) => {
  const runId = newJobId()
  const hasEnded = !['QUEUED', 'DELAYED', 'EXECUTING', 'REATTEMPTING'].includes(fields.status)
  await world.db`
    insert into background_runs (id, account_id, task_identifier, version, status, created_at, started_at, finished_at,
      tags, error, cancellable)
    values (${runId}, ${id}, ${fields.kind}, '1', ${fields.status}, ${fields.at}, ${fields.at}, ${hasEnded ? fields.at : null},
      ${JSON.stringify([`account:${id}`, ...(fields.tags ?? [])])}::text::jsonb,
      ${fields.status === 'CRASHED' ? '{"name":"WorkerLost","message":"The worker was lost"}' : null}::text::json, true)`
  return runId
}

const createMinute = (count: number): Date => new Date(Date.UTC(2026, 0, 1, 12, count))

test('turns and jobs are listed in one order, page by page, each once', async () => {
  const account = await world.makeAccount()
  const createdIds: string[] = []
  for (let count = 0; count < 9; count += 1)
    createdIds.unshift(
      count % 2 === 0
        ? await addTurn(account, { at: createMinute(count) })
        : await addJob(account, { kind: 'render-music', status: 'COMPLETED', at: createMinute(count) }),
    )
  const listedIds: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list(account, { limit: '2', ...(cursor !== undefined && { cursor }) })
    listedIds.push(...page.runs.map(({ id }) => id))
    cursor = page.next_cursor
  }
  expect(listedIds).toEqual(createdIds)
  const { next_cursor: cursor } = await list(account, { limit: '2' })
  const other = await world.request('GET', `/api/runs?kind=turn&cursor=${cursor}`, { key: account.key })
  expect(other).toMatchObject({ status: 400, body: { missing_fields: ['cursor'] } })
})

test('runs that were created at the same instant are not lost between pages', async () => {
  const account = await world.makeAccount()
  const createdIds = await Promise.all(
    [0, 1, 2, 3, 4].map((at) =>
      at < 3
        ? addTurn(account, { at: createMinute(0) })
        : addJob(account, { kind: 'commit-files', status: 'COMPLETED', at: createMinute(0) }),
    ),
  )
  const first = await list(account, { limit: '3' })
  const second = await list(account, { limit: '3', cursor: first.next_cursor ?? '' })
  expect([...first.runs, ...second.runs].map(({ id }) => id)).toEqual(createdIds.toSorted().toReversed())
})

test('filters select by kind, status, tag, chat, session and time', async () => {
  const chat = await openSession(await makeOwner(world))
  const { account, sessionId, chatId } = chat
  const turn = await addTurn(account, { at: createMinute(1), sessionId, chatId })
  const runningTurn = await addTurn(account, { status: 'running', at: createMinute(2) })
  const track = await addJob(account, {
    kind: 'render-music',
    status: 'REATTEMPTING',
    at: createMinute(3),
    tags: ['album:1'],
  })
  const setup = await addJob(account, { kind: 'setup-sandbox', status: 'CRASHED', at: createMinute(4) })
  const listIds = async (query: Record<string, string>): Promise<string[]> =>
    (await list(account, query)).runs.map(({ id }) => id)
  expect(await listIds({})).toEqual([setup, track, runningTurn, turn])
  expect(await listIds({ kind: 'turn' })).toEqual([runningTurn, turn])
  expect(await listIds({ kind: 'turn,setup-sandbox' })).toEqual([setup, runningTurn, turn])
  expect(await listIds({ status: 'failed' })).toEqual([setup])
  expect(await listIds({ status: 'running,retrying' })).toEqual([track, runningTurn])
  expect(await listIds({ tag: 'album:1' })).toEqual([track])
  expect(await listIds({ tag: `account:${account.id}` })).toEqual([setup, track, runningTurn, turn])
  expect(await listIds({ tag: `chat:${chatId}` })).toEqual([turn])
  expect(await listIds({ session_id: sessionId })).toEqual([turn])
  await world.db`update chats set title = 'Tour 100% done' where id = ${chatId}`
  await world.db`update background_runs set title = 'On tour' where id = ${track}`
  expect(await listIds({ search: 'TOUR' })).toEqual([track, turn])
  expect(await listIds({ search: '100%' })).toEqual([turn])
  expect(await listIds({ search: '0_% d' })).toEqual([])
  expect(await listIds({ search: setup })).toEqual([setup])
  await world.db`update chats set title = 'New chat' where id = ${chatId}`
  expect(await listIds({ chat_id: chatId, status: 'failed' })).toEqual([])
  expect(await listIds({ from: createMinute(2).toISOString(), to: createMinute(4).toISOString() })).toEqual([
    track,
    runningTurn,
  ])
  const [failed] = (await list(account, { status: 'failed' })).runs
  expect(failed).toMatchObject({ kind: 'setup-sandbox', status: 'failed', cancellable: false })
  expect(failed?.error).toEqual({ name: 'WorkerLost', message: 'The worker was lost' })
  const [listedRun] = (await list(account, { chat_id: chatId })).runs
  expect(listedRun).toMatchObject({
    title: 'New chat',
    durationMs: 1500,
    cancellable: false,
    source: 'api',
    error: null,
  })
  expect(listedRun?.tags).toEqual([`account:${account.id}`, `session:${sessionId}`, `chat:${chatId}`])
  for (const query of ['status=over', 'kind=A', 'from=yesterday', 'limit=101', 'children=yes'])
    expect((await world.request('GET', `/api/runs?${query}`, { key: account.key })).status).toBe(400)
})

test('a turn of a job is listed only if children are requested', async () => {
  const account = await world.makeAccount()
  const job = await addJob(account, { kind: 'scheduled-task', status: 'EXECUTING', at: createMinute(1) })
  const child = await addTurn(account, { at: createMinute(2), jobId: job })
  expect((await list(account)).runs).toMatchObject([{ id: job, childRunId: child, parentRunId: null }])
  expect((await list(account, { children: 'true' })).runs.map(({ id }) => id)).toEqual([child, job])
  expect((await list(account, { kind: 'turn' })).runs).toMatchObject([{ id: child, parentRunId: job }])
})

const question: MessagePart = { type: 'tool-ask_user_question', toolCallId: 'c1', state: 'input-available', input: {} }

/** Opens a chat whose only turn ended with a question. */
const openQuestion = async (account: TestAccount, at: Date, jobId?: string) => {
  const { sessionId, chatId } = await openSession(account)
  const message = { ...say('', 'assistant'), parts: [question] }
  await fillChat(world.db, chatId, [message])
  const fields = { sessionId, chatId, messageId: message.id, ...(jobId !== undefined && { jobId }) }
  return { ...fields, runId: await addTurn(account, { ...fields, at, endReason: 'awaiting_user' }) }
}

test('a turn counts as waiting for the user while the last question of its chat is unanswered', async () => {
  const account = await makeOwner(world)
  const job = await addJob(account, { kind: 'scheduled-task', status: 'COMPLETED', at: createMinute(0) })
  const jobQuestion = await openQuestion(account, createMinute(1), job)
  const unanswered = await openQuestion(account, createMinute(2))
  const continued = await openQuestion(account, createMinute(3))
  await addTurn(account, { ...continued, at: createMinute(4) })
  const expired = await openQuestion(account, createMinute(5))
  await world.db`
    update chat_message_parts set part = json_build_object('type', 'tool-bash', 'state', 'output-denied')
    where chat_id = ${expired.chatId}`
  const archived = await openQuestion(account, createMinute(6))
  await world.db`update sessions set status = 'archived' where id = ${archived.sessionId}`
  const deleted = await openQuestion(account, createMinute(7))
  await world.db`delete from chats where id = ${deleted.chatId}`
  const otherBranch = await openQuestion(account, createMinute(8))
  await world.db`update chats set branch_id = 'other' where id = ${otherBranch.chatId}`

  const { runs } = await list(account, { waiting: 'true' })
  expect(runs.map(({ id, isWaiting }) => [id, isWaiting])).toEqual([
    [unanswered.runId, true],
    [jobQuestion.runId, true],
  ])
  const all = await list(account, { limit: '100' })
  expect(all.runs.filter(({ isWaiting }) => isWaiting).map(({ id }) => id)).toEqual([unanswered.runId, job])
  expect((await list(account, { waiting: 'true', chat_id: jobQuestion.chatId })).runs).toHaveLength(1)
  expect((await list(account, { waiting: 'true', kind: 'render-music' })).runs).toEqual([])
})

test('the list shows the credits that a turn was charged', async () => {
  const account = await world.makeAccount({ credits: 1000 })
  const runId = await addTurn(account, { at: new Date() })
  await world.db.begin((tx) =>
    debitAccount(tx, {
      accountId: account.id,
      amount: 70,
      reference: runId,
      usage: { source: 'api', runId, modelId: 'local/assistant' },
    }),
  )
  expect((await list(account)).runs).toMatchObject([{ id: runId, credits: 70 }])
})

test('the list shows the credits that a job was charged', async () => {
  const { makeArtistWith, readSpentCredits, start } = createScrapersApi(() => world)
  const account = await world.makeAccount({ credits: 1000 })
  const artistId = await makeArtistWith(account, { X: 'https://x.com/charged', TIKTOK: 'https://tiktok.com/@charged' })
  const { runId } = await start(account, artistId, 10)
  const credits = await readSpentCredits(account)
  expect(credits).toBe(30)
  expect((await list(account)).runs).toMatchObject([{ id: runId, credits }])
})

test('an account can list its own runs and, on request, the runs of each account that it may act for', async () => {
  const { id: organizationId } = await world.makeOrganization()
  const [member, colleague] = await Promise.all([
    world.makeAccount({ organizationId }),
    world.makeAccount({ organizationId }),
  ])
  const runId = await addTurn(member, { at: createMinute(1) })
  expect((await list(colleague)).runs).toEqual([])
  expect((await list(colleague, { account_id: member.id })).runs.map(({ id }) => id)).toEqual([runId])
  const outsider = await world.makeAccount()
  const refused = await world.request('GET', `/api/runs?account_id=${member.id}`, { key: outsider.key })
  expect(refused).toMatchObject({ status: 403, body: { error: 'Access denied to this account' } })
})

test('the counts of runs by status and of runs that wait for the user respect the filters of the list', async () => {
  const account = await world.makeAccount()
  const counts = async (query: Record<string, string> = {}) => {
    const path = `/api/runs/counts?${new URLSearchParams(query).toString()}`
    return (await world.request<{ counts: Record<string, number> }>('GET', path, { key: account.key })).body
  }
  await addTurn(account, { at: createMinute(1) })
  await addTurn(account, { at: createMinute(2), status: 'failed' })
  await addTurn(account, { at: createMinute(3), endReason: 'awaiting_user' })
  const job = await addJob(account, { kind: 'scheduled-task', status: 'REATTEMPTING', at: createMinute(4) })
  await addTurn(account, { at: createMinute(4), jobId: job })
  await addJob(account, { kind: 'render-music', status: 'CRASHED', at: createMinute(5) })
  const none = { queued: 0, running: 0, retrying: 0, completed: 0, failed: 0, cancelled: 0 }
  expect(await counts()).toEqual({
    counts: { ...none, retrying: 1, completed: 2, failed: 2 },
    waiting: 0,
    isPartial: false,
  })
  expect((await counts({ kind: 'render-music' })).counts).toEqual({ ...none, failed: 1 })
  expect((await counts({ to: createMinute(3).toISOString() })).counts).toEqual({ ...none, completed: 1, failed: 1 })
  const other = await world.makeAccount()
  const foreign = await world.request('GET', `/api/runs/counts?account_id=${account.id}`, { key: other.key })
  expect(foreign.status).toBe(403)
})
