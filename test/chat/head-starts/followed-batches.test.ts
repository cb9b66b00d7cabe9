import { asyncLocalStorage } from '@temporalio/activity'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { createBatches, type Batches } from '../../../activities/chat/batches.ts'
import type { TurnAction } from '../../../domain/chat/turns.ts'

const [own, other] = [1, 2]
let sent: string[]
let beating: Promise<unknown>[]
let batches: Batches
let work: Promise<TurnAction>
let endWork: () => void
beforeEach(() => {
  sent = []
  beating = []
  work = new Promise((resolve) => (endWork = () => resolve({ next: 'nothing', recordsDiff: false })))
  batches = createBatches(
    {
      lock: { processId: own, held: () => true, settled: () => true },
      log: pino({ level: 'silent' }),
      notifier: {
        headStart: (worker: number, word: string, runId: string) => void sent.push(`${worker} ${word} ${runId}`),
      } as never,
      stops: { watch: () => ({ signal: new AbortController().signal, release: () => {} }) },
      pulse: { beatWhile: (batch) => void beating.push(batch) },
    },
    { maxBatches: 10, maxHeadStarts: 2 },
  )
})

const begin = (runId: string) => batches.begin(runId, runId, () => work)

test('a process that follows a batch is notified of its end and not while the batch runs', async () => {
  begin('run')
  batches.receive('follow', 'run', other)
  batches.receive('follow', 'run', other)
  expect(sent).toEqual([])
  endWork()
  await expect.poll(() => sent).toEqual(['2 over run'])
})

test('a process that follows a batch which has ended is notified immediately', () => {
  batches.receive('follow', 'run', other)
  expect(sent).toEqual(['2 over run'])
})

test('a query is answered only while the batch runs', () => {
  batches.receive('query', 'run', other)
  begin('run')
  batches.receive('query', 'run', other)
  expect(sent).toEqual(['2 alive run'])
})

test('a batch that waits for another process does not confirm that the run is alive', () => {
  begin('run')
  const followed = batches.follow('run')
  batches.receive('query', 'run', other)
  expect(sent).toEqual([])
  followed.close()
  batches.receive('query', 'run', other)
  expect(sent).toEqual(['2 alive run'])
})

test('a followed head start no longer counts, because its activity has arrived', () => {
  begin('first')
  begin('second')
  expect(batches.freeHeadStarts()).toBe(0)
  batches.receive('follow', 'first', other)
  expect(batches.freeHeadStarts()).toBe(1)
})

test('the first message to a process follows it and later messages query it', async () => {
  const followed = batches.follow('run')
  const stop = new AbortController()
  for (const _ of [1, 2]) {
    const update = followed.waitForUpdate(other, stop.signal)
    batches.receive('over', 'run', other)
    await update
  }
  expect(sent).toEqual(['2 follow run', '2 query run'])
})

/** Runs an attempt of the activity of a turn. */
const runActivity = (attempt: number, runBatch: Parameters<Batches['join']>[1]): Promise<unknown> => {
  const context = { info: { attempt }, cancellationSignal: new AbortController().signal, heartbeat: () => {} }
  const identity = { key: 'run', runId: 'run', accountId: 'account' }
  return asyncLocalStorage.run(context as never, () => batches.join(identity, runBatch))
}

test('the retry of an activity wakes the batch that waits for a lost process', async () => {
  let checks = 0
  const first = runActivity(1, async ({ signal }) => {
    const followed = batches.follow('run')
    for (; checks < 2; checks++) await followed.waitForUpdate(other, signal)
    followed.close()
    return 'continued'
  })
  for (const attempt of [2, 3]) {
    const retry = runActivity(attempt, () => Promise.reject(new Error('a second batch')))
    await expect.poll(() => checks, { timeout: 500 }).toBe(attempt - 1)
    if (attempt === 3) expect(await Promise.all([first, retry])).toEqual(['continued', 'continued'])
  }
})

test('a batch has a pulse from the time when it holds the work until its end', async () => {
  begin('waiting')
  expect(beating).toEqual([])
  batches.begin('holding', 'account', (batch) => {
    batch.hold()
    return work
  })
  expect(beating).toHaveLength(1)
  endWork()
  await Promise.all(beating)
})
