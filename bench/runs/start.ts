import { startBareEngine } from '../bare/engine.ts'
import { endTurnRows, insertTurnRows } from '../bare/turn-rows.ts'
import { compare, median, measureRatio, describeMedians, type Bench } from '../measure.ts'
import { startChildProcess } from '../processes/child-process.ts'
import { clockMicroseconds, planText } from '../stack/plan.ts'
import { startStack, type OpenChat, type Stack } from '../stack/stack.ts'
import { sendTurn } from '../stack/turn.ts'

const plan = planText({ tokens: 1, perSecond: 0 })

type Moments = { frame: number; token: number }

export const start: Bench = {
  name: 'start',
  run: async (stack, { quick }) => {
    const [chat, other] = await stack.openChats(2)
    if (chat === undefined || other === undefined) throw new Error('no chats')
    const bare = await startBareEngine(stack)
    const [rounds, each] = quick ? [3, 5] : [9, 20]
    const firstFrame = (target: Pick<Stack, 'baseUrl'>, targetChat: OpenChat): Promise<number> =>
      sample(each, async () => (await settled(() => sendOnce(target, targetChat))).frame)
    const frame = await compare({
      rounds,
      ours: () => firstFrame(stack, chat),
      control: () => sample(each, () => settled(() => insertRows(stack, other))),
    })
    const accepting = await startChildProcess<'url', string>('bare/accept.ts', {
      env: { DATABASE_URL: stack.databaseUrl, ACCOUNT_ID: other.account.id },
    })
    const acceptingUrl = await accepting.sendRequest('url')
    const overHttp = await compare({
      rounds,
      ours: () => firstFrame(stack, chat),
      control: () => firstFrame({ baseUrl: acceptingUrl }, other),
    })
    await accepting.part.stop()
    const firstActivity = async (): Promise<number> => {
      const begin = clockMicroseconds()
      const [begun = Number.NaN] = await bare.run(1)
      return (begun - begin) / 1000
    }
    const firstToken = (): Promise<number> =>
      sample(each, async () => (await settled(() => sendOnce(stack, chat))).token)
    const token = await compare({
      rounds,
      ours: firstToken,
      control: () => sample(each, () => settled(firstActivity)),
    })
    const bareWork = async (): Promise<number> => {
      const rows = await insertRows(stack, other)
      const begin = clockMicroseconds()
      const [answered = Number.NaN] = await bare.runSteps(1)
      return rows + (answered - begin) / 1000
    }
    const work = await compare({
      rounds,
      ours: firstToken,
      control: () => sample(each, () => settled(bareWork)),
    })
    await bare.close()
    const lead = await compareWithout(stack, chat, { rounds, each })
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

async function compareWithout(stack: Stack, chat: OpenChat, { rounds, each }: { rounds: number; each: number }) {
  const { stack: plain, close } = await startStack(() => {}, { HEAD_STARTS: '0' })
  try {
    const [other] = await plain.openChats(1)
    if (other === undefined) throw new Error('no chat')
    const tokenOf = (target: Stack, targetChat: OpenChat): Promise<number> =>
      sample(each, async () => (await settled(() => sendOnce(target, targetChat))).token)
    return await compare({ rounds, ours: () => tokenOf(stack, chat), control: () => tokenOf(plain, other) })
  } finally {
    await close()
  }
}

async function sample(count: number, work: () => Promise<number>): Promise<number> {
  const figures: number[] = []
  for (let index = 0; index < count; index++) figures.push(await work())
  return median(figures)
}

/** Waits until the previous turn has no work left. */
async function settled<T>(work: () => Promise<T>): Promise<T> {
  await pause(30)
  return work()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Returns the milliseconds from the request to frame 0 and to the first token. Reads the turn to its end. */
async function sendOnce(stack: Pick<Stack, 'baseUrl'>, chat: OpenChat): Promise<Moments> {
  const moments: Moments = { frame: 0, token: 0 }
  let seen = ''
  const begin = performance.now()
  await sendTurn(stack.baseUrl, chat, plan, (text) => {
    seen += text
    if (moments.frame === 0 && seen.includes('id: 0\n')) moments.frame = performance.now() - begin
    if (moments.token === 0 && seen.includes('"text-delta"')) moments.token = performance.now() - begin
  })
  return moments
}

/** Returns the milliseconds that this process needs to insert the rows of a turn. */
async function insertRows({ db }: Stack, chat: OpenChat): Promise<number> {
  const begin = performance.now()
  const runId = await insertTurnRows(db, chat, plan)
  const took = performance.now() - begin
  await endTurnRows(db, chat, runId)
  return took
}
