import { wakeReaders } from '../../db/postgres/channels/notify.ts'
import { startChildProcess } from '../processes/child-process.ts'
import { collectGarbage, garbageCollector } from '../processes/garbage.ts'
import type { HoldCommand } from '../processes/hold-client.ts'
import { measureRatio, type Bench, type Row, type Rounds } from '../measure.ts'
import { startSeparateApi } from '../stack/own-api.ts'
import type { Stack } from '../stack/stack.ts'
import { storeLiveRuns, type StoredRun } from '../stack/stored-run.ts'
import { readUsage } from '../processes/usage.ts'

const garbageCollectionFlags = ['--import', garbageCollector]
const unlimited = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_STREAMS: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  LIMIT_CONNECTIONS: '0',
  LIMIT_EVENT_LOOP_DELAY_MS: '0',
}
const frameBody = '{"type":"text-delta","id":"text-0","delta":"one more "}'

type Side = { pid: number; baseUrl: string; send: (second: number) => Promise<unknown>; stop(): Promise<void> }
type Figures = { memory: number; idleCpu: number; busyCpu: number }

export const connections: Bench = {
  name: 'connections',
  run: async (stack, { quick }) => {
    const chats = await stack.openChats(quick ? 500 : 2000)
    await stack.parts.worker.stop()
    const runs = await storeLiveRuns(stack.db, chats, 1)
    const [rounds, seconds] = quick ? [1, 5] : [3, 20]
    const ours = async (): Promise<Figures> => {
      const api = await startSeparateApi(stack, unlimited, garbageCollectionFlags)
      return measureSide({ ...api, send: () => appendToAll(stack, runs), stop: () => api.stop() }, runs, seconds)
    }
    const control = async (): Promise<Figures> => {
      const bare = await startChildProcess<string, string>('bare/sse.ts', { nodeOptions: garbageCollectionFlags })
      const send = (second: number) => bare.sendRequest(`id: ${second}\ndata: ${frameBody}\n\n`)
      const { pid } = bare.part
      const side = { pid, baseUrl: await bare.sendRequest('url'), send, stop: () => bare.part.stop() }
      return measureSide(side, runs, seconds)
    }
    const figures: { ours: Figures; control: Figures }[] = []
    for (let round = 0; round < rounds; round++) figures.push({ ours: await ours(), control: await control() })
    const row = (
      figure: keyof Figures,
      name: string,
      format: (value: number) => string,
      details: Pick<Row, 'how' | 'aim'>,
    ): Row => {
      const both: Rounds = {
        ours: figures.map((round) => round.ours[figure]),
        control: figures.map((round) => round.control[figure]),
      }
      const formatMedian = (values: number[]): string =>
        format(values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN)
      return {
        name,
        ...measureRatio(both),
        unit: 'x',
        ...details,
        detail: `${formatMedian(both.ours)}, bare ${formatMedian(both.control)}`,
      }
    }
    return [
      row('memory', 'held stream: memory', formatKibibytes, {
        aim: { atMost: 1.25 },
        how: `resident memory of the API process for each of ${runs.length} open streams, each of a different run; relative to a bare \`http\` server that writes the same bytes; after a garbage collection on both sides`,
      }),
      row('idleCpu', 'held stream: CPU time when idle', formatMicroseconds, {
        how: 'CPU time of the API process per second and stream while nothing is written to the logs (a comment line every ten seconds)',
      }),
      row('busyCpu', 'held stream: CPU time with one frame per second', formatMicroseconds, {
        how: 'the same while each run gets one frame per second: the API is notified, reads the frame from Postgres and sends it',
      }),
    ]
  },
}

/** Returns the bytes of memory per open stream, and the CPU time per stream and second without and with frames. */
async function measureSide(side: Side, runs: StoredRun[], seconds: number): Promise<Figures> {
  const client = await startChildProcess<HoldCommand, number>('processes/hold-client.ts')
  const { pid, baseUrl } = side
  const createCommand = (batch: StoredRun[]) => ({
    baseUrl,
    key: batch[0]?.chat.account.key ?? '',
    paths: batch.map(({ chat }) => `/api/chat/${chat.chatId}/stream`),
  })
  // The first connections make the process load code, which is not part of the cost of a connection.
  const [first, rest] = [runs.slice(0, 100), runs.slice(100)]
  await client.sendRequest({ open: createCommand(first) })
  await side.send(0)
  const before = await readSettledMemory(pid)
  await client.sendRequest({ open: createCommand(rest) })
  const memory = ((await readSettledMemory(pid)) - before) / rest.length
  const cpuOver = async (work: (second: number) => Promise<unknown>): Promise<number> => {
    const begin = readUsage(pid).cpuMicroseconds
    for (let second = 1; second <= seconds; second++) {
      const due = performance.now() + 1000
      await work(second)
      await pause(Math.max(0, due - performance.now()))
    }
    return (readUsage(pid).cpuMicroseconds - begin) / seconds / runs.length
  }
  const idleCpu = await cpuOver(() => Promise.resolve())
  const bytes = await client.sendRequest('bytes')
  const busyCpu = await cpuOver(side.send)
  const received = ((await client.sendRequest('bytes')) - bytes) / seconds / runs.length
  if (received < frameBody.length) throw new Error(`each reader received only ${Math.round(received)} bytes per second`)
  await client.sendRequest('close')
  await client.part.stop()
  await side.stop()
  return { memory, idleCpu, busyCpu }
}

/** Returns the resident memory after garbage collections. */
async function readSettledMemory(pid: number): Promise<number> {
  await collectGarbage(pid)
  return readUsage(pid).rssBytes
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Appends one frame to every log as a worker does: first the rows, then a notification without content. */
async function appendToAll({ db }: Stack, runs: StoredRun[]): Promise<void> {
  const ids = runs.map(({ runId }) => runId)
  await db`
    with moved as (
      update stream_head set next_seq = next_seq + 1 where run_id = any(${ids}::text[]) returning run_id, next_seq, day
    )
    insert into stream_chunk (run_id, seq, day, body)
    select run_id, next_seq - 1, day, ${frameBody} from moved`
  wakeReaders(db, ids)
}

function formatKibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}

function formatMicroseconds(value: number): string {
  return `${value.toFixed(1)} us/s`
}
