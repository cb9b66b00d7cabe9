import { setTimeout as pause } from 'node:timers/promises'
import { median, describeMedians, measureMs, measureSpread, type Bench, type Rounds, type Row } from '../measure.ts'
import { sendRequest } from '../stack/send-request.ts'
import { encodePlan } from '../stack/plan.ts'
import type { Account, OpenChat, Stack } from '../stack/stack.ts'
import { sendTurn } from '../stack/turn.ts'

const plan = encodePlan({ tokens: 1, perSecond: 0 })
const pollIntervalMs = 10

/** Measures how much a flood of background runs of one account delays the work of another account. */
export const fairness: Bench = {
  name: 'fairness',
  run: async (stack, { quick }) => {
    const [account, flooder] = [await stack.createAccount(), await stack.createAccount()]
    const chat = await stack.openChat(account)
    await stack.openChat(flooder)
    const kinds = {
      'a turn': () => runTurn(stack, chat),
      'the start of a sandbox': () => startSandbox(stack, account),
      'a headless run': () => runHeadless(stack, account),
    }
    const [floodRuns, idleRounds] = quick ? [30, 3] : [80, 9]
    const figures = Object.entries(kinds).map(([name, work]) => ({
      name,
      work,
      ours: [] as number[],
      control: [] as number[],
    }))
    for (const { work } of figures) await work()
    for (let round = 0; round < idleRounds; round++)
      for (const { work, control } of figures) control.push(await measureMs(work))
    const flood = startFlood(stack, flooder, floodRuns)
    await flood.accepted
    // One operation of each kind at a time, like a person who works during the flood.
    await Promise.all(
      figures.map(async ({ work, ours }) => {
        do ours.push(await measureMs(work))
        while (!flood.hasEnded())
      }),
    )
    await flood.ended
    return figures.flatMap(({ name, ...rounds }) =>
      toRows(`${name} during ${floodRuns} headless runs of another account`, rounds),
    )
  },
}

function toRows(name: string, rounds: Rounds): Row[] {
  const [flooded, idle] = [measureSpread(rounds.ours), median(rounds.control)]
  const how =
    'time from the request to its end, with one operation of each kind at a time, while a burst of background runs of another account is processed'
  const detail = describeMedians(rounds, 'idle')
  return [
    {
      name,
      value: flooded.value / idle,
      low: flooded.low / idle,
      high: flooded.high / idle,
      unit: 'x',
      how: `${how}; relative to the same operation on the idle machine before the burst`,
      detail,
    },
    {
      name: `${name}: beyond twice its idle time`,
      value: flooded.value - 2 * idle,
      low: flooded.low - 2 * idle,
      high: flooded.high - 2 * idle,
      unit: 'ms',
      aim: { atMost: 1000 },
      how: `${how}; minus twice the time of the same operation on the idle machine before the burst`,
      detail,
    },
  ]
}

function runTurn(stack: Stack, chat: OpenChat): Promise<void> {
  return sendTurn(stack.baseUrl, chat, plan, () => {})
}

async function startSandbox(stack: Stack, account: Account): Promise<void> {
  const { session } = await sendRequest<{ session: { id: string } }>(stack, account, '/api/sessions', {})
  await sendRequest(stack, account, '/api/sandbox', { sessionId: session.id })
}

async function runHeadless(stack: Stack, account: Account): Promise<void> {
  await waitUntilEnded(stack, [await startHeadless(stack, account)])
}

async function startHeadless(stack: Stack, account: Account): Promise<string> {
  return (await sendRequest<{ runId: string }>(stack, account, '/api/chat/runs', { prompt: plan })).runId
}

async function waitUntilEnded({ db }: Stack, runIds: string[]): Promise<void> {
  for (;;) {
    const live =
      await db`select 1 from runs where id = any(${runIds}::text[]) and status in ('queued', 'running') limit 1`
    if (live.length === 0) return
    await pause(pollIntervalMs)
  }
}

/** Starts a flood of headless runs. `accepted` resolves when all are accepted, `ended` when all have ended. */
function startFlood(stack: Stack, account: Account, count: number) {
  let hasEnded = false
  const accepted = Promise.all(Array.from({ length: count }, () => startHeadless(stack, account)))
  const end = async (): Promise<void> => {
    await waitUntilEnded(stack, await accepted)
    hasEnded = true
  }
  return { accepted, ended: end(), hasEnded: () => hasEnded }
}
