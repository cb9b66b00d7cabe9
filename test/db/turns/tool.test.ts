import { afterAll, beforeAll, expect, test } from 'vitest'
import { StaleWriterError } from '../../../db/log/writer.ts'
import { finishToolCall, startToolCall } from '../../../db/turns/steps/tool.ts'
import { createWorld, type World } from '../../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(async () => {
  await world.db`update runs set status = 'cancelled', ended_at = now()`
  await world.close()
})

/** Creates a run with a tool call that has not begun. */
const callTool = async (): Promise<{ runId: string; toolCallId: string }> => {
  const runId = `wrun_${Math.random()}`
  const { id } = await world.makeAccount()
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id)
    values (${runId}, ${id}, gen_random_uuid(), gen_random_uuid(), 'answer', 'running', 'api', 'local/assistant')`
  await world.db`insert into stream_head (run_id, day) values (${runId}, (now() at time zone 'utc')::date)`
  await world.db`
    insert into run_tool_calls (run_id, tool_call_id, step, tool_name, input) values (${runId}, 'call', 0, 'bash', '{}')`
  return { runId, toolCallId: 'call' }
}

const start = (call: { runId: string; toolCallId: string }, attempt: number, batch = 0) =>
  startToolCall(world.db, { ...call, holder: attempt, activityId: 'activity', batch, attempt })

test('the attempt that writes the receipt counts as the first, even if it repeats its request', async () => {
  const call = await callTool()
  expect(await start(call, 1)).toEqual({ first: true })
  expect(await start(call, 1)).toEqual({ first: true })
  expect(await start(call, 2)).toEqual({ first: false })
})

test('an attempt after the receipt does not count as the first, even if it repeats its request', async () => {
  const call = await callTool()
  await start(call, 1)
  expect(await start(call, 2)).toEqual({ first: false })
  expect(await start(call, 2)).toEqual({ first: false })
  expect(await start(call, 3)).toEqual({ first: false })
  const later = await callTool()
  expect(await start(later, 2)).toEqual({ first: true })
  expect(await start(later, 2)).toEqual({ first: true })
})

test('a replaced attempt cannot start the call again', async () => {
  const call = await callTool()
  await start(call, 1)
  await start(call, 2)
  await expect(start(call, 1)).rejects.toBeInstanceOf(StaleWriterError)
  const [row] = await world.db`select holder, attempt from run_tool_calls where run_id = ${call.runId}`
  expect(row).toEqual({ holder: 2, attempt: 2 })
})

test('a replaced batch starts no call', async () => {
  const call = await callTool()
  await world.db`update stream_head set batch = 2 where run_id = ${call.runId}`
  await expect(start(call, 1, 1)).rejects.toBeInstanceOf(StaleWriterError)
  expect(await start(call, 1, 2)).toEqual({ first: true })
  await expect(start(call, 1, 1)).rejects.toBeInstanceOf(StaleWriterError)
})

test('an ended call is not started again', async () => {
  const call = await callTool()
  await start(call, 1)
  await finishToolCall(world.db, { ...call, output: { success: true } })
  await expect(start(call, 2)).rejects.toBeInstanceOf(StaleWriterError)
})

test('a call of a stopped run is not started', async () => {
  const call = await callTool()
  await world.db`update stream_head set state = 'stopping' where run_id = ${call.runId}`
  await expect(start(call, 1)).rejects.toBeInstanceOf(StaleWriterError)
})
