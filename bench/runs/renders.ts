import { setTimeout as pause } from 'node:timers/promises'
import { compare, measureRatio, describeMedians, type Bench } from '../measure.ts'
import { startReader } from '../processes/reader.ts'
import { sendRequest } from '../stack/send-request.ts'
import type { Account, Stack } from '../stack/stack.ts'

const renderCount = 2
const streamCount = 20
const trackSeconds = 240
const pollIntervalMs = 100

type Generation = { id: string; status: string }

/** Measures how much renders on the same machine delay the readers of streams. */
export const renders: Bench = {
  name: 'renders',
  settings: { MAX_CONCURRENT_RENDERS: String(renderCount) },
  run: async (stack, { quick }) => {
    // Each render has its own account, because one account cannot occupy all slots of a renderer.
    const accounts = await Promise.all(Array.from({ length: renderCount }, () => stack.createAccount()))
    for (const { id } of accounts)
      await stack.db`select credit_account(${id}, 100000000000, 'bench', 'grant', null, 'bench')`
    const reader = await startReader(stack)
    const chats = await stack.openChats(streamCount)
    const measureDelay = async (): Promise<number> => {
      const { p99, whole } = await reader.relayed(chats, { perSecond: 50, seconds: quick ? 3 : 6 })
      if (!whole) throw new Error('a stream lost tokens')
      return p99
    }
    const rounds = await compare({
      rounds: quick ? 2 : 6,
      ours: async () => {
        const started = await startRenders(stack, accounts)
        const p99 = await measureDelay()
        for (const { account, id } of started)
          if ((await readGeneration(stack, account, id)).status !== 'processing')
            throw new Error('a render ended too early')
        for (const { account, id } of started) await waitForStatus(stack, account, id, 'completed')
        return p99
      },
      control: measureDelay,
    })
    await reader.close()
    return [
      {
        name: `delay of ${streamCount} streams during ${renderCount} renders, p99`,
        ...measureRatio(rounds),
        unit: 'x',
        aim: { atMost: 1.5 },
        how: `age of a token when it reaches a client process through the worker, the log and the API, at 50 tokens/s per stream, while a worker on this machine renders ${renderCount} tracks of ${trackSeconds} s; relative to the same streams without renders`,
        detail: describeMedians(rounds, 'without'),
      },
    ]
  },
}

/** Starts one render per account and waits until all are processing. */
async function startRenders(stack: Stack, accounts: Account[]): Promise<{ account: Account; id: string }[]> {
  const started: { account: Account; id: string }[] = []
  for (const [seed, account] of accounts.entries()) {
    const body = { prompt: 'house, 124 bpm', lyrics: 'Hold the line until the morning', duration: trackSeconds, seed }
    const { generation } = await sendRequest<{ generation: Generation }>(stack, account, '/api/music', body)
    started.push({ account, id: generation.id })
  }
  for (const { account, id } of started) await waitForStatus(stack, account, id, 'processing')
  return started
}

async function waitForStatus(stack: Stack, account: Account, id: string, status: string): Promise<void> {
  for (;;) {
    const generation = await readGeneration(stack, account, id)
    if (generation.status === status) return
    if (generation.status === 'failed') throw new Error('a render failed')
    await pause(pollIntervalMs)
  }
}

async function readGeneration(stack: Stack, account: Account, id: string): Promise<Generation> {
  const { generation } = await sendRequest<{ generation: Generation }>(stack, account, `/api/music/${id}`)
  return generation
}
