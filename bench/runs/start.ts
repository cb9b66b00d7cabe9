import { startBareEngine } from '../bare/engine.ts'
import { endTurnRows, insertTurnRows } from '../bare/turn-rows.ts'
import { compare, median, measureRatio, sides, type Bench } from '../measure.ts'
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
    const firstFrame = (on: Pick<Stack, 'baseUrl'>, of: OpenChat): Promise<number> =>
      sample(each, async () => (await settled(() => sendOnce(on, of))).frame)
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
        how: 'from the request to the first event at the client, over the same rows inserted by one transaction of eight statements from another process',
        detail: sides(frame, 'bare insert'),
      },
      {
        name: 'POST /api/chat to frame 0: over bare http',
        ...measureRatio(overHttp),
        unit: 'x',
        how: 'the same over a bare `http` server that inserts those rows for every request and returns the frame, read by the same client: without a key, limits, credits, checks of the input or a read of session and chat',
        detail: sides(overHttp, 'bare http'),
      },
      {
        name: 'POST /api/chat to the first token',
        ...measureRatio(token),
        unit: 'x',
        aim: { atMost: 1.3 },
        how: 'the fake model responds immediately; over the start of an empty workflow until its first activity begins, in a minimal worker process on the same Temporal',
        detail: sides(token, 'bare workflow'),
      },
      {
        name: 'POST /api/chat to the first token: over bare work',
        ...measureRatio(work),
        unit: 'x',
        how: 'the same over the rows of the bare insert, then a workflow start, then the first activity up to the answer of the same model, which reads a row and writes two before: the least that is durable, without a client',
        detail: sides(work, 'bare work'),
      },
      {
        name: 'POST /api/chat to the first token: with a head start over none',
        ...measureRatio(lead),
        unit: 'x',
        how: 'the same beside a second deployment whose workers begin nothing before the engine brings it (`HEAD_STARTS=0`)',
        detail: sides(lead, 'without'),
      },
    ]
  },
}

async function compareWithout(stack: Stack, chat: OpenChat, { rounds, each }: { rounds: number; each: number }) {
  const { stack: plain, close } = await startStack(() => {}, { HEAD_STARTS: '0' })
  try {
    const [other] = await plain.openChats(1)
    if (other === undefined) throw new Error('no chat')
    const tokenOf = (on: Stack, of: OpenChat): Promise<number> =>
      sample(each, async () => (await settled(() => sendOnce(on, of))).token)
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

/** Between turns nothing of the one before is at work. */
async function settled<T>(work: () => Promise<T>): Promise<T> {
  await pause(30)
  return work()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Milliseconds from the request to frame 0 and to the first token; the turn is read to its end. */
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

/** Milliseconds to insert the rows of a turn from this process. */
async function insertRows({ db }: Stack, chat: OpenChat): Promise<number> {
  const begin = performance.now()
  const runId = await insertTurnRows(db, chat, plan)
  const took = performance.now() - begin
  await endTurnRows(db, chat, runId)
  return took
}
