import { startBareEngine } from '../bare/engine.ts'
import { endTurnRows, insertTurnRows } from '../bare/turn-rows.ts'
import { compare, median, measureRatio, describeMedians, type Bench } from '../measure.ts'
import { startChildProcess } from '../processes/child-process.ts'
import { clockMicroseconds, encodePlan } from '../stack/plan.ts'
import { startStack, type OpenChat, type Stack } from '../stack/stack.ts'
import { sendTurn } from '../stack/turn.ts'

const plan = encodePlan({ tokens: 1, perSecond: 0 })

type Latencies = { frame: number; token: number }

export const start: Bench = {
  name: 'start',
  run: async (stack, { quick }) => {
    const [chat, other] = await stack.openChats(2)
    if (chat === undefined || other === undefined) throw new Error('no chats')
    const bare = await startBareEngine(stack)
    const [rounds, turnsPerRound] = quick ? [3, 5] : [9, 20]
    const firstFrame = (target: Pick<Stack, 'baseUrl'>, targetChat: OpenChat): Promise<number> =>
      sampleMedian(turnsPerRound, async () => (await afterPause(() => sendTimedTurn(target, targetChat))).frame)
    const frame = await compare({
      rounds,
      ours: () => firstFrame(stack, chat),
      control: () => sampleMedian(turnsPerRound, () => afterPause(() => insertRows(stack, other))),
    })
    const acceptServer = await startChildProcess<'url', string>('bare/accept.ts', {
      env: { DATABASE_URL: stack.databaseUrl, ACCOUNT_ID: other.account.id },
    })
    const acceptServerUrl = await acceptServer.sendRequest('url')
    const overHttp = await compare({
      rounds,
      ours: () => firstFrame(stack, chat),
      control: () => firstFrame({ baseUrl: acceptServerUrl }, other),
    })
    await acceptServer.part.stop()
    const firstActivity = async (): Promise<number> => {
      const begin = clockMicroseconds()
      const [startedAt = Number.NaN] = await bare.run(1)
      return (startedAt - begin) / 1000
    }
    const firstToken = (): Promise<number> =>
      sampleMedian(turnsPerRound, async () => (await afterPause(() => sendTimedTurn(stack, chat))).token)
    const token = await compare({
      rounds,
      ours: firstToken,
      control: () => sampleMedian(turnsPerRound, () => afterPause(firstActivity)),
    })
    const bareWork = async (): Promise<number> => {
      const rows = await insertRows(stack, other)
      const begin = clockMicroseconds()
      const [respondedAt = Number.NaN] = await bare.runSteps(1)
      return rows + (respondedAt - begin) / 1000
    }
    const work = await compare({
      rounds,
      ours: firstToken,
      control: () => sampleMedian(turnsPerRound, () => afterPause(bareWork)),
    })
    await bare.close()
    const lead = await compareHeadStarts(stack, chat, { rounds, turnsPerRound })
    return [
      {
        name: 'POST /api/chat to frame 0',
        ...measureRatio(frame),
        unit: 'x',
        aim: { atMost: 1.5 },
        how: 'time from the request to the first event at the client, relative to the insertion of the same rows by one transaction of eight statements from another process',
        detail: describeMedians(frame, 'bare insert'),
      },
      {
        name: 'POST /api/chat to frame 0: relative to bare http',
        ...measureRatio(overHttp),
        unit: 'x',
        how: 'the same, relative to a bare `http` server that inserts these rows for each request and returns the frame to the same client, without API keys, limits, credits, input validation or reads of the session and chat',
        detail: describeMedians(overHttp, 'bare http'),
      },
      {
        name: 'POST /api/chat to the first token',
        ...measureRatio(token),
        unit: 'x',
        aim: { atMost: 1.3 },
        how: 'the fake model responds immediately; relative to the time from the start of an empty workflow until its first activity begins, in a minimal worker process on the same Temporal',
        detail: describeMedians(token, 'bare workflow'),
      },
      {
        name: 'POST /api/chat to the first token: relative to bare work',
        ...measureRatio(work),
        unit: 'x',
        how: 'the same, relative to the bare insert, then a workflow start, then its first activity until the same model has answered; the activity reads one row and writes two before the call. This is the minimum for durability, without a client',
        detail: describeMedians(work, 'bare work'),
      },
      {
        name: 'POST /api/chat to the first token: with and without a head start',
        ...measureRatio(lead),
        unit: 'x',
        how: 'the same, alternated with a second deployment whose workers start no turn before Temporal schedules it (`HEAD_STARTS=0`)',
        detail: describeMedians(lead, 'without'),
      },
    ]
  },
}

async function compareHeadStarts(
  stack: Stack,
  chat: OpenChat,
  { rounds, turnsPerRound }: { rounds: number; turnsPerRound: number },
) {
  const { stack: withoutHeadStarts, close } = await startStack(() => {}, { HEAD_STARTS: '0' })
  try {
    const [other] = await withoutHeadStarts.openChats(1)
    if (other === undefined) throw new Error('no chat')
    const timeFirstToken = (target: Stack, targetChat: OpenChat): Promise<number> =>
      sampleMedian(turnsPerRound, async () => (await afterPause(() => sendTimedTurn(target, targetChat))).token)
    return await compare({
      rounds,
      ours: () => timeFirstToken(stack, chat),
      control: () => timeFirstToken(withoutHeadStarts, other),
    })
  } finally {
    await close()
  }
}

async function sampleMedian(count: number, work: () => Promise<number>): Promise<number> {
  const figures: number[] = []
  for (let index = 0; index < count; index++) figures.push(await work())
  return median(figures)
}

/** Runs `work` after a pause in which the previous turn completes. */
async function afterPause<T>(work: () => Promise<T>): Promise<T> {
  await pause(30)
  return work()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Returns the milliseconds from the request to frame 0 and to the first token. Reads the turn to its end. */
async function sendTimedTurn(stack: Pick<Stack, 'baseUrl'>, chat: OpenChat): Promise<Latencies> {
  const latencies: Latencies = { frame: 0, token: 0 }
  let received = ''
  const begin = performance.now()
  await sendTurn(stack.baseUrl, chat, plan, (text) => {
    received += text
    if (latencies.frame === 0 && received.includes('id: 0\n')) latencies.frame = performance.now() - begin
    if (latencies.token === 0 && received.includes('"text-delta"')) latencies.token = performance.now() - begin
  })
  return latencies
}

/** Inserts the rows of a turn. Returns the milliseconds that the insertion takes. */
async function insertRows({ db }: Stack, chat: OpenChat): Promise<number> {
  const begin = performance.now()
  const runId = await insertTurnRows(db, chat, plan)
  const elapsedMs = performance.now() - begin
  await endTurnRows(db, chat, runId)
  return elapsedMs
}
