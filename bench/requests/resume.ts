import { get } from 'node:http'
import { startChildProcess } from '../processes/child-process.ts'
import { compare, quantile, measureRatio, describeMedians, measureSpread, type Bench } from '../measure.ts'
import { storeLiveRuns, type StoredRun } from '../stack/stored-run.ts'
import type { Stack } from '../stack/stack.ts'

const frames = 50_000
const framesBeforeEnd = 10

type Latencies = { firstByte: number; whole: number }

export const resume: Bench = {
  name: 'resume',
  run: async (stack, { quick }) => {
    const chats = await stack.openChats(1)
    await stack.parts.worker.stop()
    const [run] = await storeLiveRuns(stack.db, chats, frames)
    if (run === undefined) throw new Error('no run')
    const firstBytes: number[] = []
    const resumeFromStart = async (): Promise<number> => {
      const latencies = await resumeFrom(stack, run, undefined)
      firstBytes.push(latencies.firstByte)
      return latencies.whole
    }
    const rounds = quick ? 5 : 25
    const fromStart = await compare({
      rounds,
      warmUp: 3,
      ours: resumeFromStart,
      control: () => readRows(stack, run, 0),
    })
    const bare = await startChildProcess<'url', string>('bare/resume.ts', { env: { DATABASE_URL: stack.databaseUrl } })
    const bareUrl = `${await bare.sendRequest('url')}/${run.runId}`
    const overHttp = await compare({
      rounds,
      warmUp: 3,
      ours: resumeFromStart,
      control: async () => (await readLog(bareUrl, {})).whole,
    })
    await bare.part.stop()
    const end = await compare({
      rounds: rounds * 4,
      warmUp: 10,
      ours: async () => (await resumeFrom(stack, run, frames - framesBeforeEnd - 1)).whole,
      control: () => readRows(stack, run, frames - framesBeforeEnd),
    })
    const countedFirstBytes = firstBytes.slice(3)
    return [
      {
        name: 'resume from frame 0 of 50,000',
        ...measureRatio(fromStart),
        unit: 'x',
        aim: { atMost: 1.5 },
        how: 'time from GET /api/chat/{chatId}/stream to the last stored frame at the client; relative to one query for the same rows by the client itself',
        detail: describeMedians(fromStart, 'SQL'),
      },
      {
        name: 'resume from frame 0 of 50,000: relative to bare http',
        ...measureRatio(overHttp),
        unit: 'x',
        how: 'the same, relative to a bare `http` server that writes the text that Postgres builds from the same rows, read by the same client; this includes the cost of one more process',
        detail: describeMedians(overHttp, 'bare http'),
      },
      {
        name: 'first byte of 50,000 frames',
        ...measureSpread(countedFirstBytes),
        unit: 'ms',
        aim: { atMost: 20 },
        how: 'time from the same requests to the first byte of the body',
        detail: `p95 ${quantile(countedFirstBytes, 0.95).toFixed(1)} ms`,
      },
      {
        name: 'resume 10 frames before the end',
        ...measureSpread(end.ours),
        unit: 'ms',
        aim: { atMost: 20 },
        how: 'the same log with a Last-Event-ID near its end, until the client has received the last stored frame',
        detail: describeMedians(end, 'SQL'),
      },
    ]
  },
}

function resumeFrom({ baseUrl }: Stack, { chat }: StoredRun, lastIndex: number | undefined): Promise<Latencies> {
  return readLog(`${baseUrl}/api/chat/${chat.chatId}/stream`, {
    'x-api-key': chat.account.key,
    ...(lastIndex !== undefined && { 'last-event-id': String(lastIndex) }),
  })
}

/** Returns the milliseconds from the request to the first byte of the body and to the last stored frame, then disconnects. */
function readLog(url: string, headers: Record<string, string>): Promise<Latencies> {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    const last = `id: ${frames - 1}\n`
    let firstByte = Number.NaN
    let tail = ''
    const request = get(url, { headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream was rejected: ${response.statusCode}`))
      response.setEncoding('utf8').on('data', (text: string) => {
        if (Number.isNaN(firstByte)) firstByte = performance.now() - begin
        tail = (tail + text).slice(-300)
        // The event ends with its blank line.
        if (!tail.includes(last) || !tail.endsWith('\n\n')) return
        resolve({ firstByte, whole: performance.now() - begin })
        request.destroy()
      })
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}

async function readRows({ db }: Stack, { runId }: StoredRun, from: number): Promise<number> {
  const begin = performance.now()
  const rows = await db`select seq, body from stream_chunk where run_id = ${runId} and seq >= ${from} order by seq`
  if (rows.length !== frames - from) throw new Error(`read ${rows.length} rows instead of ${frames - from}`)
  return performance.now() - begin
}
