import { setTimeout as pause } from 'node:timers/promises'
import { openListener } from '../../db/postgres/channels/listener.ts'
import type { LaunchedProcess } from '../../dev/processes/processes.ts'
import { measureRatio, measureSpread, median, type Bench, type Rounds } from '../measure.ts'
import { encodePlan } from '../stack/plan.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'
import { sendTurn } from '../stack/turn.ts'

const plan = encodePlan({ tokens: 25, perSecond: 50 })

const [fewWorkers, manyWorkers] = [2, 10]
const turnWorkers = 5
/** Wait until the statistics are complete: a Postgres session reports its transactions within ten seconds. */
const statisticsMs = 11_000
/** Wait until the fleet is idle: workers poll more often for ten seconds after another worker starts or stops. */
const settleMs = 11_000 + statisticsMs

/** Measures the transactions of an idle fleet and of one turn, by the number of workers. */
export const members: Bench = {
  name: 'members',
  run: async (stack, { quick }) => {
    const [chat] = await stack.openChats(1)
    if (chat === undefined) throw new Error('no chat')
    const [rounds, windowMs, turns] = quick ? [1, 15_000, 10] : [2, 20_000, 20]
    const fleet = createFleet(stack)
    const idle: Rounds = { ours: [], control: [] }
    const turn: Rounds = { ours: [], control: [] }
    const listening: number[] = []
    const measureTurn = () => countTurnTransactions(stack, chat, { turns, windowMs })
    for (let round = 0; round < rounds; round++) {
      await fleet.resize(1)
      turn.control.push(await measureTurn())
      listening.push(await withListeners(stack, turnWorkers - 1, measureTurn))
      await fleet.resize(fewWorkers)
      idle.control.push(await measureRate(stack, windowMs))
      await fleet.resize(turnWorkers)
      turn.ours.push(await measureTurn())
      await fleet.resize(manyWorkers)
      idle.ours.push(await measureRate(stack, windowMs))
    }
    await fleet.resize(1)
    const idleHow = `from \`pg_stat_database\` over ${windowMs / 1000} s without work, ${settleMs / 1000} s after the start of the last worker; one API process`
    const turnHow = `a turn of one model call that streams 25 tokens at 50 tokens/s to its client; from \`pg_stat_database\` over ${turns} consecutive turns, minus the transactions of an idle fleet in the same time`
    return [
      {
        name: `transactions per second of an idle fleet, ${fewWorkers} workers`,
        ...measureSpread(idle.control),
        unit: 'tx/s',
        how: idleHow,
      },
      {
        name: `transactions per second of an idle fleet, ${manyWorkers} workers`,
        ...measureSpread(idle.ours),
        unit: 'tx/s',
        how: idleHow,
      },
      {
        name: `transactions of an idle fleet, ${manyWorkers} workers relative to ${fewWorkers}`,
        ...measureRatio(idle),
        unit: 'x',
        aim: { atMost: 2 },
        how: 'ratio of the medians',
        detail: `${formatMedian(idle.ours)} tx/s, ${fewWorkers} workers ${formatMedian(idle.control)} tx/s`,
      },
      {
        name: `transactions of a turn, ${turnWorkers} workers relative to one`,
        ...measureRatio(turn),
        unit: 'x',
        aim: { atMost: 1.1 },
        how: `${turnHow}. For each notification, Postgres runs a transaction in every listening session, regardless of the channel`,
        detail: `${formatMedian(turn.ours)}, one worker ${formatMedian(turn.control)}`,
      },
      {
        name: `transactions of a turn, ${turnWorkers} workers relative to as many listening sessions`,
        ...measureRatio({ ours: turn.ours, control: listening }),
        unit: 'x',
        aim: { atMost: 1.1 },
        how: `the same, relative to one worker and ${turnWorkers - 1} additional sessions that each listen to a channel without notifications`,
        detail: `${formatMedian(turn.ours)}, one worker ${formatMedian(listening)}`,
      },
    ]
  },
}

function formatMedian(values: readonly number[]): string {
  return median(values).toFixed(1)
}

/** Creates a fleet that consists of the worker of the stack and of additional workers. */
function createFleet(stack: Stack) {
  const additional: LaunchedProcess[] = []
  return {
    /** Starts or stops workers. Resolves when the fleet is idle. */
    resize: async (count: number): Promise<void> => {
      while (additional.length >= count) await additional.pop()?.stop()
      while (additional.length < count - 1) additional.push(await stack.startWorker())
      await pause(settleMs)
    },
  }
}

async function withListeners<T>(stack: Stack, count: number, work: () => Promise<T>): Promise<T> {
  const listeners = Array.from({ length: count }, (_, index) => openListener(stack.databaseUrl, `bench ${index}`))
  try {
    await Promise.all(listeners.map((listener) => listener.listen('bench', { onPayload: () => {} })))
    return await work()
  } finally {
    await Promise.all(listeners.map((listener) => listener.close()))
  }
}

async function measureRate(stack: Stack, windowMs: number): Promise<number> {
  const { transactions, seconds } = await countDuring(stack, () => pause(windowMs))
  return transactions / seconds
}

async function countTurnTransactions(
  stack: Stack,
  chat: OpenChat,
  { turns, windowMs }: { turns: number; windowMs: number },
): Promise<number> {
  const sendAll = async (): Promise<void> => {
    for (let index = 0; index < turns; index++) await sendTurn(stack.baseUrl, chat, plan, () => {})
    // Waits until the statistics contain the transactions of the last turn.
    await pause(statisticsMs)
  }
  await sendTurn(stack.baseUrl, chat, plan, () => {})
  await pause(statisticsMs)
  const idle = await measureRate(stack, windowMs)
  const busy = await countDuring(stack, sendAll)
  return (busy.transactions - idle * busy.seconds) / turns
}

async function countDuring(
  stack: Stack,
  work: () => Promise<unknown>,
): Promise<{ transactions: number; seconds: number }> {
  const before = await readTransactions(stack)
  const begin = performance.now()
  await work()
  const seconds = (performance.now() - begin) / 1000
  return { transactions: (await readTransactions(stack)) - before, seconds }
}

async function readTransactions({ db }: Stack): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`
  return row?.count ?? 0
}
