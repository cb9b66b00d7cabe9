import { afterAll, beforeAll, expect, test } from 'vitest'
import { abandonAttempt, countFailure } from '../../../db/log/attempts.ts'
import { readRun } from '../../../db/runs/runs.ts'
import { StaleWriter } from '../../../db/log/writer.ts'
import { findStepResult, finishCall } from '../../../db/turns/steps/step-end.ts'
import { saveAssistantMessage } from '../../../db/turns/message.ts'
import { openStep } from '../../../db/turns/steps/step.ts'
import type { MessagePart } from '../../../domain/chat/messages.ts'
import { createWorld, type World } from '../../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const startRun = async (): Promise<string> => {
  const { key } = await world.makeAccount()
  const { body } = await world.request<{ runId: string }>('POST', '/api/chat/runs', { key, body: { prompt: 'hello' } })
  return body.runId
}

const open = (runId: string, attempt: number, position = 0) =>
  openStep(world.db, {
    runId,
    step: 0,
    attempt,
    holder: attempt,
    activityId: 'activity',
    position,
    inputTokens: 1,
    inputPrice: undefined,
    outputPrice: undefined,
  })

type Ending = { toolCalls?: { toolCallId: string }[]; parts?: MessagePart[] }

const finish = async (runId: string, attempt: number, nextSeq: number, { toolCalls = [], parts = [] }: Ending) => {
  const run = await readRun(world.db, runId)
  await finishCall(world.db, {
    run,
    step: 0,
    attempt,
    nextSeq,
    frames: toolCalls.length === 0 ? [{ type: 'finish-step' }] : [],
    folded: { parts, metadata: {} },
    metadata: undefined,
    modelId: 'local/assistant',
    finishReason: toolCalls.length === 0 ? 'stop' : 'tool-calls',
    rawFinishReason: undefined,
    goesOn: toolCalls.length > 0,
    usage: undefined,
    costUsd: 0,
    prices: undefined,
    toolCalls: toolCalls.map(({ toolCallId }) => ({ toolCallId, toolName: 'bash', input: { command: 'true' } })),
  })
}

const text = (said: string): MessagePart => ({ type: 'text', text: said })

const bodiesOf = async (runId: string): Promise<string[]> => {
  const rows = await world.db<{ body: string }[]>`
    select body from stream_chunk where run_id = ${runId} order by seq`
  return rows.map(({ body }) => body)
}

test.each([
  ['calls tools', [{ toolCallId: 'call_1' }]],
  ['calls none', []],
])('a step that %s and ends under the eyes of the next attempt is not taken back', async (_, toolCalls) => {
  const runId = await startRun()
  // The engine gave up the first attempt and began a second one, which looked for a result and found none yet.
  const { nextSeq } = await open(runId, 1)
  expect(await findStepResult(world.db, runId, 0)).toBeUndefined()
  await finish(runId, 1, nextSeq, { toolCalls })
  const before = await bodiesOf(runId)
  await expect(open(runId, 2)).rejects.toThrow(StaleWriter)
  expect(await bodiesOf(runId)).toEqual(before)
  expect((await findStepResult(world.db, runId, 0))?.toolCalls).toHaveLength(toolCalls.length)
})

test('a step that has not ended is taken over, and its first attempt can end it no more', async () => {
  const runId = await startRun()
  const { nextSeq } = await open(runId, 1)
  await open(runId, 2)
  await expect(finish(runId, 1, nextSeq, {})).rejects.toThrow(StaleWriter)
  expect((await bodiesOf(runId)).some((body) => body.includes('data-retract'))).toBe(true)
})

test('the parts of a step replace what stands in their places, and nothing before them', async () => {
  const runId = await startRun()
  const { chatId, assistantMessageId } = await readRun(world.db, runId)
  await world.db.begin((tx) =>
    saveAssistantMessage(tx, {
      chatId,
      messageId: assistantMessageId,
      position: 0,
      parts: [text('kept'), text('left'), text('left')],
      metadata: {},
    }),
  )
  const { nextSeq } = await open(runId, 1, 1)
  await finish(runId, 1, nextSeq, { parts: [text('new')] })
  const rows = await world.db<{ text: string }[]>`
    select part ->> 'text' as text from chat_message_parts where message_id = ${assistantMessageId} order by position`
  expect(rows.map((row) => row.text)).toEqual(['kept', 'new'])
})

test('an attempt that is given up counts once among the failures of its step, and one that was only left does not', async () => {
  const runId = await startRun()
  const giveUp = async (attempt: number, weight: number): Promise<number> => {
    const { fence } = await open(runId, attempt)
    const given = { runId, step: 0, fence, reason: weight === 0 ? 'worker_lost' : 'model_error', weight }
    const counted = await abandonAttempt(world.db, given)
    // As after a commit whose answer was lost.
    expect(await abandonAttempt(world.db, given)).toBe(counted)
    return counted
  }
  expect(await giveUp(1, 1)).toBe(1)
  expect(await giveUp(2, 0)).toBe(1)
  expect(await giveUp(3, 3)).toBe(4)
  expect(await countFailure(world.db, runId, 1)).toBe(1)
})
