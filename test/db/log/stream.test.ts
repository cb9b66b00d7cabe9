import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendGroup, readFrames, saveHead, lockStream } from '../../../db/log/stream.ts'
import { createStreamWriter, StaleWriterError, type StreamWriter } from '../../../db/log/writer.ts'
import { createWorld, type World } from '../../world/world.ts'

let world: World
let writer: StreamWriter
beforeAll(async () => {
  world = await createWorld({ worker: false })
  writer = createStreamWriter({ url: world.databaseUrl, flushMs: 1 })
})
afterAll(async () => {
  await writer.close()
  await world.close()
})

const fence = 1

/** Starts a run whose log accepts the writer of `fence` and contains `start` at index 0. */
const openLog = async (): Promise<string> => {
  const { key } = await world.makeAccount()
  const { body } = await world.request<{ runId: string }>('POST', '/api/chat/runs', { key, body: { prompt: 'hello' } })
  await world.db`update stream_head set fence = ${fence} where run_id = ${body.runId}`
  return body.runId
}

const listBodies = async (runId: string): Promise<string[]> => {
  const [head] = await world.db<{ day: string }[]>`select day::text as day from stream_head where run_id = ${runId}`
  return (await readFrames(world.db, { runId, day: head?.day ?? '', from: 1 })).map((frame) => frame.body)
}

const createEntry = (runId: string, changes: object = {}) => ({
  runId,
  fence,
  expected: 1,
  bodies: ['a', 'b'],
  ...changes,
})

test('one statement appends frames to the logs of many runs', async () => {
  const runs = [await openLog(), await openLog(), await openLog()]
  expect(
    await appendGroup(
      world.db,
      runs.map((runId) => createEntry(runId)),
    ),
  ).toEqual([true, true, true])
  for (const runId of runs) expect(await listBodies(runId)).toEqual(['a', 'b'])
})

test.each([
  ['an older fence', { fence: 0 }],
  ['a newer fence', { fence: 2 }],
  ['an existing index', { expected: 0 }],
  ['an index after a gap', { expected: 2 }],
])('an append with %s is rejected without an effect on other appends', async (_, changes) => {
  const [refused, accepted] = [await openLog(), await openLog()]
  expect(await appendGroup(world.db, [createEntry(refused, changes), createEntry(accepted)])).toEqual([false, true])
  expect([await listBodies(refused), await listBodies(accepted)]).toEqual([[], ['a', 'b']])
})

test.each(['stopping', 'done'])('an append to a log in state %s is rejected', async (state) => {
  const runId = await openLog()
  await world.db`update stream_head set state = ${state} where run_id = ${runId}`
  expect(await appendGroup(world.db, [createEntry(runId)])).toEqual([false])
})

test('a statement with frames of a replaced attempt and its successor appends only the frames of the successor', async () => {
  const runId = await openLog()
  await world.db`update stream_head set fence = 2 where run_id = ${runId}`
  const replaced = createEntry(runId, { bodies: ['stale', 'stale'] })
  expect(await appendGroup(world.db, [replaced, createEntry(runId, { fence: 2 })])).toEqual([false, true])
  expect(await listBodies(runId)).toEqual(['a', 'b'])
})

test('a log whose row is locked does not delay other logs, and is written once the lock is released', async () => {
  const [lockedRun, freeRun] = [await openLog(), await openLog()]
  const appenders = [lockedRun, freeRun].map((runId) => writer.open({ runId, fence, nextSeq: 1 }))
  await world.db.begin(async (tx) => {
    await lockStream(tx, lockedRun)
    for (const appender of appenders) appender.push({ type: 'source-url', url: 'x' })
    expect(await appenders[1]?.drain()).toBe(2)
    expect(await listBodies(lockedRun)).toEqual([])
  })
  expect(await appenders[0]?.drain()).toBe(2)
  for (const appender of appenders) appender.close()
})

test('a replaced writer fails at its next append', async () => {
  const runId = await openLog()
  const appender = writer.open({ runId, fence, nextSeq: 1 })
  await world.db`update stream_head set fence = 2 where run_id = ${runId}`
  appender.push({ type: 'text-start', id: 't' })
  await expect(appender.drain()).rejects.toBeInstanceOf(StaleWriterError)
  expect(appender.stale.aborted).toBe(true)
  appender.close()
})

test('an append whose response was lost is recognized and not repeated', async () => {
  const runId = await openLog()
  const appender = writer.open({ runId, fence, nextSeq: 1 })
  const frame = { type: 'text-start', id: 't' }
  await world.db.begin(async (tx) => {
    const head = await lockStream(tx, runId)
    if (head === undefined) throw new Error('no log')
    await tx`insert into stream_chunk (run_id, seq, day, body) values (${runId}, 1, ${head.day}, ${JSON.stringify(frame)})`
    await saveHead(tx, { ...head, nextSeq: 2 })
  })
  appender.push(frame)
  expect(await appender.drain()).toBe(2)
  expect(await listBodies(runId)).toEqual([JSON.stringify(frame)])
  appender.close()
})

const createDelta = (id: string, text: string) => ({ type: 'text-delta', id, delta: text })

test('adjacent deltas of a part are merged into one frame, and other frames are unchanged', async () => {
  const runId = await openLog()
  const appender = writer.open({ runId, fence, nextSeq: 1 })
  for (const frame of [
    createDelta('a', 'one '),
    createDelta('a', 'two'),
    createDelta('b', 'three'),
    { type: 'text-end', id: 'b' },
  ])
    appender.push(frame)
  await appender.drain()
  expect((await listBodies(runId)).map((body) => JSON.parse(body) as object)).toEqual([
    createDelta('a', 'one two'),
    createDelta('b', 'three'),
    { type: 'text-end', id: 'b' },
  ])
  appender.close()
})
