import { afterAll, beforeAll, expect, test } from 'vitest'
import { listLostAttempts, releaseLostAttempt } from '../../../db/turns/lost/attempts.ts'
import { listRunsWithoutActivity } from '../../../db/runs/runs.ts'
import { StaleWriterError } from '../../../db/log/writer.ts'
import { finishSubCall, startSubCall } from '../../../db/turns/sub-agents/call.ts'
import { finishSubStep, recordSubOutput, openSubStep, releaseSubStep } from '../../../db/turns/sub-agents/step.ts'
import { findProgress, readSubAgent, takeTask } from '../../../db/turns/sub-agents/state.ts'
import { finishToolCall } from '../../../db/turns/steps/tool.ts'
import { createWorld, type World } from '../../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(async () => {
  await world.db`update runs set status = 'cancelled', ended_at = now()`
  await world.close()
})

type Task = { runId: string; toolCallId: string; batch: number }

/** Process id whose lock is free, so that the worker is considered dead. */
const deadHolder = 987_654

/** Takes the sub-agent for a new batch. */
const take = async (task: Task): Promise<Task> => {
  const batch = await takeTask(world.db, { ...task, holder: deadHolder, activityId: 'activity' })
  if (batch === undefined) throw new Error('the sub-agent has ended')
  return { ...task, batch }
}

/** Creates a run with a `task` call whose sub-agent has a batch but no step. */
const callTask = async (): Promise<Task> => {
  const runId = `wrun_${Math.random()}`
  const { id } = await world.makeAccount()
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id)
    values (${runId}, ${id}, gen_random_uuid(), gen_random_uuid(), 'answer', 'running', 'api', 'local/assistant')`
  await world.db`insert into stream_head (run_id, day) values (${runId}, (now() at time zone 'utc')::date)`
  const input = JSON.stringify({ task: 'Look', instructions: 'Look around' })
  await world.db`
    insert into run_tool_calls (run_id, tool_call_id, step, tool_name, input)
    values (${runId}, 'task-call', 0, 'task', ${input}::text::json)`
  return take({ runId, toolCallId: 'task-call', batch: 0 })
}

const open = (task: Task, attempt: number, step = 0) =>
  world.db.begin((tx) =>
    openSubStep(tx, {
      ...task,
      step,
      attempt,
      holder: deadHolder,
      modelId: 'local/assistant',
      inputTokens: 10,
      inputPrice: undefined,
      outputPrice: undefined,
    }),
  )

const usage = { inputTokens: 3, inputTokenDetails: {}, outputTokens: 2, outputTokenDetails: {}, totalTokens: 5 }

const finish = (task: Task, attempt: number, calls: string[] = [], step = 0) =>
  world.db.begin((tx) =>
    finishSubStep(tx, {
      ...task,
      step,
      attempt,
      parts: [{ type: 'step-start' }, { type: 'text', text: `of attempt ${attempt}` }],
      finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
      goesOn: calls.length > 0,
      usage,
      costUsd: 0,
      prices: undefined,
      calls: calls.map((toolCallId) => ({ toolCallId, toolName: 'bash', input: { command: 'true' } })),
    }),
  )

const start = (task: Task, callId: string, attempt: number) =>
  world.db.begin((tx) =>
    startSubCall(tx, { ...task, toolCallId: callId, holder: deadHolder, activityId: 'activity', attempt }),
  )

const listFrames = async ({ runId }: Task): Promise<Record<string, unknown>[]> => {
  const rows = await world.db<{ body: string }[]>`
    select body from stream_chunk where run_id = ${runId} order by seq`
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
}

const stop = ({ runId }: Task) => world.db`update stream_head set state = 'stopping' where run_id = ${runId}`

test('only the newest attempt can end a step, and an ended step is not opened again', async () => {
  const task = await callTask()
  await open(task, 1)
  await open(task, 2)
  await expect(open(task, 1)).rejects.toBeInstanceOf(StaleWriterError)
  await expect(finish(task, 1)).rejects.toBeInstanceOf(StaleWriterError)
  expect(await readSubAgent(world.db, task)).toMatchObject({ attempts: 2 })
  expect((await readSubAgent(world.db, task)).last).toBeUndefined()
  await finish(task, 2)
  expect((await readSubAgent(world.db, task)).last).toEqual({ step: 0, openCalls: [], goesOn: false })
  await expect(open(task, 3)).rejects.toBeInstanceOf(StaleWriterError)
  await expect(finish(task, 2)).rejects.toBeInstanceOf(StaleWriterError)
  expect((await readSubAgent(world.db, task)).parts.at(-1)).toEqual({ type: 'text', text: 'of attempt 2' })
})

test('a repeated request of an attempt returns the same step and adds no frame', async () => {
  const task = await callTask()
  await open(task, 1)
  await open(task, 1)
  await finish(task, 1, ['call'])
  expect(await start(task, 'call', 1)).toEqual({ first: true })
  expect(await start(task, 'call', 1)).toEqual({ first: true })
  expect((await listFrames(task)).map((frame) => frame['preliminary'])).toEqual([true, true, true])
  expect(await start(task, 'call', 2)).toEqual({ first: false })
  await expect(start(task, 'call', 1)).rejects.toBeInstanceOf(StaleWriterError)
})

test('a sub-agent writes nothing after a stop', async () => {
  const task = await callTask()
  await open(task, 1)
  await finish(task, 1, ['call', 'other'])
  await start(task, 'call', 1)
  await open(task, 1, 1)
  const before = await listFrames(task)
  await stop(task)
  await expect(open(task, 2, 1)).rejects.toBeInstanceOf(StaleWriterError)
  await expect(finish(task, 1, [], 1)).rejects.toBeInstanceOf(StaleWriterError)
  await expect(start(task, 'other', 1)).rejects.toBeInstanceOf(StaleWriterError)
  expect(await takeTask(world.db, { ...task, holder: deadHolder, activityId: 'activity' })).toBeUndefined()
  const ended = { runId: task.runId, toolCallId: 'call', output: {} }
  await expect(world.db.begin((tx) => finishSubCall(tx, ended))).rejects.toBeInstanceOf(StaleWriterError)
  expect(await listFrames(task)).toEqual(before)
})

test('a sub-agent writes nothing after the end of its call', async () => {
  const task = await callTask()
  await open(task, 1)
  await finish(task, 1, ['call'])
  await open(task, 1, 1)
  await finishToolCall(world.db, { ...task, output: { final: [] } })
  const before = await listFrames(task)
  expect(before.at(-1)).toEqual({ type: 'tool-output-available', toolCallId: task.toolCallId, output: { final: [] } })
  await expect(open(task, 2, 1)).rejects.toBeInstanceOf(StaleWriterError)
  await expect(finish(task, 1, [], 1)).rejects.toBeInstanceOf(StaleWriterError)
  await expect(start(task, 'call', 1)).rejects.toBeInstanceOf(StaleWriterError)
  expect(await listFrames(task)).toEqual(before)
})

test('recording the output of a model call returns whether its response is still needed', async () => {
  const task = await callTask()
  const openAttempt = { ...task, step: 0, attempt: 1 }
  await open(task, 1)
  expect(await recordSubOutput(world.db, openAttempt, 7)).toBe(true)
  await open(task, 2)
  expect(await recordSubOutput(world.db, openAttempt, 8)).toBe(false)
  expect(await recordSubOutput(world.db, { ...openAttempt, attempt: 2 }, 9)).toBe(true)
  await stop(task)
  expect(await recordSubOutput(world.db, { ...openAttempt, attempt: 2 }, 10)).toBe(false)
})

test('a released model call keeps a reference to its worker only if a stop interrupted it', async () => {
  const readRow = async ({ runId }: Task) =>
    (
      await world.db`
        select output_characters as characters, holder is not null as held from run_sub_agent_steps where run_id = ${runId}`
    )[0]
  const failed = await callTask()
  await open(failed, 1)
  expect(await releaseSubStep(world.db, { ...failed, step: 0, attempt: 1 }, 40)).toBe(true)
  expect(await readRow(failed)).toEqual({ characters: 40, held: false })
  const cut = await callTask()
  await open(cut, 1)
  await stop(cut)
  expect(await releaseSubStep(world.db, { ...cut, step: 0, attempt: 1 }, 40)).toBe(false)
  expect(await readRow(cut)).toEqual({ characters: 40, held: true })
})

test('a replaced batch opens no step and starts no tool call', async () => {
  const task = await callTask()
  await open(task, 1)
  await finish(task, 1, ['call'])
  const next = await take(task)
  await expect(start(task, 'call', 1)).rejects.toBeInstanceOf(StaleWriterError)
  await expect(open(task, 1, 1)).rejects.toBeInstanceOf(StaleWriterError)
  expect(await start(next, 'call', 1)).toEqual({ first: true })
  await open(next, 1, 1)
  await expect(finish(task, 1, [], 1)).rejects.toBeInstanceOf(StaleWriterError)
})

test('the attempt of a dead worker is listed until it is released, and its run is active until then', async () => {
  const task = await callTask()
  await open(task, 1)
  const lacksActivity = async () =>
    (await listRunsWithoutActivity(world.db, { limit: 1000 })).some(({ id }) => id === task.runId)
  const listLost = async () =>
    (await listLostAttempts(world.db, 1))
      .filter(({ runId }) => runId === task.runId)
      .map(({ activityId }) => activityId)
  expect([await lacksActivity(), await listLost()]).toEqual([false, ['activity']])
  const held = { runId: task.runId, activityId: 'activity', holder: deadHolder }
  await releaseLostAttempt(world.db, held)
  expect([await lacksActivity(), await listLost()]).toEqual([true, []])
  const next = await take(task)
  await open(next, 2)
  await finish(next, 2, ['call'])
  await start(next, 'call', 1)
  expect([await lacksActivity(), await listLost()]).toEqual([false, ['activity']])
  await releaseLostAttempt(world.db, held)
  expect([await lacksActivity(), await listLost()]).toEqual([true, []])
})

test('the progress contains the number of started calls and the total usage of the steps', async () => {
  const task = await callTask()
  expect(await findProgress(world.db, task)).toBeUndefined()
  await open(task, 1)
  await finish(task, 1, ['a', 'b'])
  await start(task, 'a', 1)
  await world.db.begin((tx) => finishSubCall(tx, { runId: task.runId, toolCallId: 'a', output: { success: true } }))
  await open(task, 1, 1)
  await finish(task, 1, [], 1)
  expect(await findProgress(world.db, task)).toMatchObject({
    toolCallCount: 1,
    modelId: 'local/assistant',
    usage: { inputTokens: 6, outputTokens: 4, totalTokens: 10 },
  })
})
