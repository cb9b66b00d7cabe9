import { setTimeout as pause } from 'node:timers/promises'
import { openListener } from '../../db/postgres/channels/listener.ts'
import type { LaunchedProcess } from '../../dev/processes/processes.ts'
import { measureRatio, measureSpread, median, type Bench, type Rounds } from '../measure.ts'
import { planText } from '../stack/plan.ts'
import type { OpenChat, Stack } from '../stack/stack.ts'
import { sendTurn } from '../stack/turn.ts'

const plan = planText({ tokens: 25, perSecond: 50 })

const [fewWorkers, manyWorkers] = [2, 10]
const turnWorkers = 5
/** A session of Postgres adds its transactions to the statistics at most ten seconds later. */
const statisticsMs = 11_000
/** Workers check more often for ten seconds after the start or the end of another. */
const settleMs = 11_000 + statisticsMs

/** Growth of the load at Postgres with the number of workers: while nothing happens, and of one turn. */
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
    const measureTurn = () => countOfTurn(stack, chat, { turns, windowMs })
    for (let round = 0; round < rounds; round++) {
      await fleet.resize(1)
      turn.control.push(await measureTurn())
      listening.push(await withListeners(stack, turnWorkers - 1, measureTurn))
      await fleet.resize(fewWorkers)
      idle.control.push(await ratePerSecond(stack, windowMs))
      await fleet.resize(turnWorkers)
      turn.ours.push(await measureTurn())
      await fleet.resize(manyWorkers)
      idle.ours.push(await ratePerSecond(stack, windowMs))
    }
    await fleet.resize(1)
    const idleHow = `by \`pg_stat_database\` over ${windowMs / 1000} s without any work, ${settleMs / 1000} s after the last worker has started; one API`
    const turnHow = `of a turn of one model call that streams 25 tokens at 50 tokens/s to its client, by \`pg_stat_database\` over ${turns} turns one after the other, less those of the same time without work`
    return [
      {
        name: `transactions a second of an idle fleet, ${fewWorkers} workers`,
        ...measureSpread(idle.control),
        unit: 'tx/s',
        how: idleHow,
      },
      {
        name: `transactions a second of an idle fleet, ${manyWorkers} workers`,
        ...measureSpread(idle.ours),
        unit: 'tx/s',
        how: idleHow,
      },
      {
        name: `transactions of an idle fleet, ${manyWorkers} workers over ${fewWorkers}`,
        ...measureRatio(idle),
        unit: 'x',
        aim: { atMost: 2 },
        how: 'the medians of both',
        detail: `${show(idle.ours)} tx/s, ${fewWorkers} workers ${show(idle.control)} tx/s`,
      },
      {
        name: `transactions of a turn, ${turnWorkers} workers over one`,
        ...measureRatio(turn),
        unit: 'x',
        aim: { atMost: 1.1 },
        how: `${turnHow}; Postgres runs a transaction in each listening session for each notification, whatever its channel`,
        detail: `${show(turn.ours)}, one worker ${show(turn.control)}`,
      },
      {
        name: `transactions of a turn, ${turnWorkers} workers over as many listening sessions`,
        ...measureRatio({ ours: turn.ours, control: listening }),
        unit: 'x',
        aim: { atMost: 1.1 },
        how: `the same over those with one worker and ${turnWorkers - 1} further sessions that only listen, each to a channel without notifications`,
        detail: `${show(turn.ours)}, one worker ${show(listening)}`,
      },
    ]
  },
}

function show(values: readonly number[]): string {
  return median(values).toFixed(1)
}

/** Starts and stops workers beside that of the stack. */
function createFleet(stack: Stack) {
  const more: LaunchedProcess[] = []
  return {
    /** Resolves when the workers have settled. */
    resize: async (count: number): Promise<void> => {
      while (more.length >= count) await more.pop()?.stop()
      while (more.length < count - 1) more.push(await stack.startWorker())
      await pause(settleMs)
    },
  }
}

async function withListeners<T>(stack: Stack, count: number, work: () => Promise<T>): Promise<T> {
  const listeners = Array.from({ length: count }, (_, at) => openListener(stack.databaseUrl, `bench ${at}`))
  try {
    await Promise.all(listeners.map((listener) => listener.listen('bench', { onPayload: () => {} })))
    return await work()
  } finally {
    await Promise.all(listeners.map((listener) => listener.close()))
  }
}

async function ratePerSecond(stack: Stack, windowMs: number): Promise<number> {
  const { transactions, seconds } = await countDuring(stack, () => pause(windowMs))
  return transactions / seconds
}

async function countOfTurn(
  stack: Stack,
  chat: OpenChat,
  { turns, windowMs }: { turns: number; windowMs: number },
): Promise<number> {
  const sendAll = async (): Promise<void> => {
    for (let at = 0; at < turns; at++) await sendTurn(stack.baseUrl, chat, plan, () => {})
    // The transactions of the last turn are in the statistics by then.
    await pause(statisticsMs)
  }
  await sendTurn(stack.baseUrl, chat, plan, () => {})
  await pause(statisticsMs)
  const idle = await ratePerSecond(stack, windowMs)
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
