import { afterAll, beforeAll, expect, test } from 'vitest'
import { abandonAttempt, countFailure, type OpenStep } from '../../../db/log/attempts.ts'
import { readRun } from '../../../db/runs/runs.ts'
import { StaleWriterError } from '../../../db/log/writer.ts'
import { finishCall } from '../../../db/turns/steps/step-end.ts'
import { releaseTurn, takeTurn } from '../../../db/turns/take-turn.ts'
import { readTurnState } from '../../../db/turns/context.ts'
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

/** Takes the turn as a process that considers the previous holder lost. */
const take = async (runId: string, holder = 1): Promise<number> => {
  const claim = { runId, holder, activityId: 'activity', claim: 'any', detectsDead: false } as const
  const taken = await takeTurn(world.db, claim)
  if (taken === 'closed' || !('batch' in taken)) throw new Error('the turn cannot be taken')
  return taken.batch
}

const openIn = (runId: string, { batch, attempt = 1, step = 0, position = 0 }: Partial<OpenStep> & { batch: number }) =>
  openStep(world.db, {
    runId,
    batch,
    step,
    attempt,
    position,
    inputTokens: 1,
    inputPrice: undefined,
    outputPrice: undefined,
    begins: true,
    yieldsToSteering: true,
  })

const openAttempt = async (runId: string, attempt: number, position = 0) => {
  const opened = await openIn(runId, { batch: await take(runId), attempt, position })
  if (typeof opened === 'string') throw new Error(`the step is ${opened}`)
  return opened
}

type Ending = { toolCalls?: { toolCallId: string }[]; parts?: MessagePart[]; replaces?: boolean }

const finish = async (
  runId: string,
  attempt: number,
  nextSeq: number,
  { toolCalls = [], parts = [], replaces = false }: Ending,
) => {
  const run = await readRun(world.db, runId)
  await finishCall(world.db, {
    run,
    step: 0,
    attempt,
    nextSeq,
    frames: toolCalls.length === 0 ? [{ type: 'finish-step' }] : [],
    folded: { parts, metadata: {} },
    metadata: undefined,
    replaces,
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

const createTextPart = (value: string): MessagePart => ({ type: 'text', text: value })

const listBodies = async (runId: string): Promise<string[]> => {
  const rows = await world.db<{ body: string }[]>`
    select body from stream_chunk where run_id = ${runId} order by seq`
  return rows.map(({ body }) => body)
}

test.each([
  ['calls tools', [{ toolCallId: 'call_1' }]],
  ['calls no tools', []],
])('a step that %s is not repeated if it ends after the next attempt has read the turn', async (_, toolCalls) => {
  const runId = await startRun()
  // The engine has abandoned the first attempt, and the second attempt reads the turn before the step ends.
  const { nextSeq } = await openAttempt(runId, 1)
  expect((await readTurnState(world.db, runId)).result).toBeUndefined()
  const batch = await take(runId)
  await finish(runId, 1, nextSeq, { toolCalls })
  const before = await listBodies(runId)
  expect(await openIn(runId, { batch, attempt: 2 })).toBe('ended')
  expect(await listBodies(runId)).toEqual(before)
  expect((await readTurnState(world.db, runId)).result?.openCalls).toHaveLength(toolCalls.length)
})

test('the next attempt opens a step that is still open, and the first attempt can no longer end it', async () => {
  const runId = await startRun()
  const { nextSeq } = await openAttempt(runId, 1)
  await openAttempt(runId, 2)
  await expect(finish(runId, 1, nextSeq, {})).rejects.toThrow(StaleWriterError)
  expect((await listBodies(runId)).some((body) => body.includes('data-retract'))).toBe(true)
})

test('a replaced batch can open neither the current step nor the next step', async () => {
  const runId = await startRun()
  const [first, second] = [await take(runId), await take(runId, 2)]
  await expect(openIn(runId, { batch: first })).rejects.toThrow(StaleWriterError)
  const opened = await openIn(runId, { batch: second })
  if (typeof opened === 'string') throw new Error(`the step is ${opened}`)
  // The repetition corresponds to a commit whose response was lost.
  expect(await openIn(runId, { batch: second })).toMatchObject({ nextSeq: opened.nextSeq })
  await expect(openIn(runId, { batch: first })).rejects.toThrow(StaleWriterError)
  await finish(runId, 1, opened.nextSeq, { toolCalls: [{ toolCallId: 'call_1' }] })
  await expect(openIn(runId, { batch: first, step: 1 })).rejects.toThrow(StaleWriterError)
  expect(await openIn(runId, { batch: second, step: 1 })).toMatchObject({ fence: 100_001 })
})

test('a turn of another process can be taken once that process has ended its batch or died', async () => {
  const runId = await startRun()
  const claim = (claim: 'new' | 'free' | 'any', holder: number, detectsDead = true) =>
    takeTurn(world.db, { runId, holder, activityId: 'activity', claim, detectsDead })
  const lock = await world.db.reserve()
  await lock`select pg_advisory_lock(4712)`
  expect(await claim('new', 4712)).toEqual({ batch: 1 })
  expect(await claim('new', 5)).toEqual({ heldBy: expect.any(Number) })
  expect(await claim('free', 5)).toEqual({ heldBy: expect.any(Number) })
  expect(await claim('free', 4712)).toEqual({ batch: 2 })
  await lock`select pg_advisory_unlock(4712)`
  lock.release()
  expect(await claim('free', 5, false)).toEqual({ heldBy: expect.any(Number) })
  expect(await claim('free', 5)).toEqual({ batch: 3 })
  await releaseTurn(world.db, { runId, batch: 2, holder: 4712 })
  expect(await claim('free', 6, false)).toEqual({ heldBy: expect.any(Number) })
  await releaseTurn(world.db, { runId, batch: 3, holder: 5 })
  expect(await claim('free', 6, false)).toEqual({ batch: 4 })
  await world.db`update stream_head set state = 'stopping' where run_id = ${runId}`
  expect(await claim('any', 6)).toBe('closed')
})

test('the parts of a step replace only the parts at their positions', async () => {
  const runId = await startRun()
  const { chatId, assistantMessageId } = await readRun(world.db, runId)
  await world.db.begin((tx) =>
    saveAssistantMessage(tx, {
      chatId,
      messageId: assistantMessageId,
      position: 0,
      parts: [createTextPart('kept'), createTextPart('left'), createTextPart('left')],
      metadata: {},
    }),
  )
  const { nextSeq } = await openAttempt(runId, 1, 1)
  await finish(runId, 1, nextSeq, { parts: [createTextPart('new')], replaces: true })
  const rows = await world.db<{ text: string }[]>`
    select part ->> 'text' as text from chat_message_parts where message_id = ${assistantMessageId} order by position`
  expect(rows.map((row) => row.text)).toEqual(['kept', 'new'])
})

test('an abandoned attempt adds its weight to the failures of its step once', async () => {
  const runId = await startRun()
  const abandon = async (attempt: number, weight: number): Promise<number> => {
    const { fence } = await openAttempt(runId, attempt)
    const failure = { runId, step: 0, fence, reason: weight === 0 ? 'worker_lost' : 'model_error', weight }
    const counted = await abandonAttempt(world.db, failure)
    // The repetition corresponds to a commit whose response was lost.
    expect(await abandonAttempt(world.db, failure)).toBe(counted)
    return counted
  }
  expect(await abandon(1, 1)).toBe(1)
  expect(await abandon(2, 0)).toBe(1)
  expect(await abandon(3, 3)).toBe(4)
  expect(await countFailure(world.db, runId, 1)).toBe(1)
})
