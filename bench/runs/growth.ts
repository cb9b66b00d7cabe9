import { randomUUID } from 'node:crypto'
import { connectClient } from '../../engine/connect.ts'
import { median, measureSpread, type Bench, type Row } from '../measure.ts'
import { encodePlan } from '../stack/plan.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'
import { sendMessages } from '../stack/turn.ts'

const plan = encodePlan({ tokens: 5, perSecond: 0 })

type Message = { id: string; role: 'user' | 'assistant'; parts: { type: 'text'; text: string }[] }

/** Tables into which a turn writes rows, with the condition that selects the rows of a chat (`$1`). */
const tables = {
  runs: 'chat_id = $1',
  run_inputs: 'run_id in (select id from runs where chat_id = $1)',
  run_steps: 'run_id in (select id from runs where chat_id = $1)',
  run_tool_calls: 'run_id in (select id from runs where chat_id = $1)',
  stream_head: 'run_id in (select id from runs where chat_id = $1)',
  stream_chunk: 'run_id in (select id from runs where chat_id = $1)',
  chat_messages: 'chat_id = $1',
  chat_message_parts: 'chat_id = $1',
  usage_events: 'run_id in (select id from runs where chat_id = $1)',
}

/** Size of the chat after a number of turns. The bytes are those of all turns so far. */
type SizeSample = { turn: number; rows: number; history: number; disk: number }

export const growth: Bench = {
  name: 'growth',
  run: async (stack, { quick }) => {
    const turnCount = quick ? 200 : 1000
    const [chat] = await stack.openChats(1)
    if (chat === undefined) throw new Error('no chat')
    const engine = await connectClient({ address: stack.temporalAddress, namespace: 'default', tls: false })
    const readHistoryBytes = async (runId: string): Promise<number> => {
      const { raw } = await engine.client.workflow.getHandle(runId).describe()
      return Number(raw.workflowExecutionInfo?.historySizeBytes ?? Number.NaN)
    }
    // Like most clients, each turn sends the whole conversation.
    const conversation: Message[] = []
    const times: number[] = []
    const samples: SizeSample[] = []
    let history = 0
    const empty = { rows: await readRowBytes(stack, chat), disk: await readDiskBytes(stack) }
    for (let turn = 1; turn <= turnCount; turn++) {
      conversation.push(createMessage('user', plan))
      const begin = performance.now()
      let text = ''
      const runId = await sendMessages(stack.baseUrl, chat, conversation, (piece) => (text += piece))
      times.push(performance.now() - begin)
      const deltas = text.matchAll(/"type":"text-delta","id":"[^"]*","delta":"([^"]*)"/g)
      conversation.push(createMessage('assistant', [...deltas].map(([, delta]) => delta).join('')))
      history += await readHistoryBytes(runId)
      if (turn !== 10 && turn !== turnCount) continue
      samples.push({
        turn,
        rows: (await readRowBytes(stack, chat)) - empty.rows,
        disk: (await readDiskBytes(stack)) - empty.disk,
        history,
      })
    }
    await engine.close()
    const [earlySample, lateSample] = samples
    if (earlySample === undefined || lateSample === undefined) throw new Error('too few turns')
    const createGrowthRow = (
      name: string,
      readBytes: (sample: SizeSample) => number,
      details: Pick<Row, 'how' | 'aim'>,
    ): Row => {
      const value = computeExponent(earlySample, lateSample, readBytes)
      const formatPerTurn = (sample: SizeSample): string =>
        `${Math.round(readBytes(sample) / sample.turn).toLocaleString('en')} bytes per turn`
      return {
        name,
        value,
        low: value,
        high: value,
        unit: '',
        ...details,
        detail: `up to turn 10 ${formatPerTurn(earlySample)}, up to turn ${turnCount} ${formatPerTurn(lateSample)}`,
      }
    }
    const [earlyTimes, lateTimes] = [selectTurnsBefore(times, 10), selectTurnsBefore(times, turnCount)]
    const ratio = median(lateTimes) / median(earlyTimes)
    return [
      createGrowthRow('bytes of rows: growth exponent', ({ rows }) => rows, {
        aim: { atMost: 1.05 },
        how: `all rows of one chat of ${turnCount} short turns, as stored; computed from the sums after turn 10 and after the last turn`,
      }),
      createGrowthRow('bytes of histories: growth exponent', (sample) => sample.history, {
        aim: { atMost: 1.05 },
        how: 'size of the workflow histories of the same turns, as reported by Temporal',
      }),
      createGrowthRow('bytes of the database on disk: growth exponent', ({ disk }) => disk, {
        how: 'size of the whole database, including indexes and dead rows; the first turns fill pages that are already allocated',
      }),
      {
        name: `time of turn ${turnCount} relative to turn 10`,
        ...measureSpread(lateTimes.map((ms) => ms / median(earlyTimes))),
        value: ratio,
        unit: 'x',
        how: 'median of ten turns; each turn sends the whole conversation, as most clients do, and the fake model parses it',
        detail: `${median(earlyTimes).toFixed(0)} ms, then ${median(lateTimes).toFixed(0)} ms`,
      },
    ]
  },
}

/** Returns the stored size of all rows of a chat in bytes. */
async function readRowBytes({ db }: Stack, { chatId }: OpenChat): Promise<number> {
  let sum = 0
  for (const [table, where] of Object.entries(tables)) {
    const [row] = await db.unsafe<{ bytes: number }[]>(
      `select coalesce(sum(pg_column_size(t.*)), 0)::bigint as bytes from ${table} t where ${where}`,
      [chatId],
    )
    sum += row?.bytes ?? Number.NaN
  }
  return sum
}

/** Returns the size of the whole database on disk in bytes, including indexes and dead rows. */
async function readDiskBytes({ db }: Stack): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
  return row?.bytes ?? Number.NaN
}

function createMessage(role: Message['role'], text: string): Message {
  return {
    id: randomUUID(),
    role,
    parts: [{ type: 'text', text }],
  }
}

/** Returns the growth exponent between two samples: 1 if the bytes grow linearly with the turns, 2 if quadratically. */
function computeExponent(from: SizeSample, to: SizeSample, readBytes: (sample: SizeSample) => number): number {
  return Math.log(readBytes(to) / readBytes(from)) / Math.log(to.turn / from.turn)
}

function selectTurnsBefore(times: number[], turn: number): number[] {
  return times.slice(Math.max(0, turn - 10), turn)
}
