import { setTimeout as pause } from 'node:timers/promises'
import { waitFor } from '../../../dev/processes/processes.ts'
import { median, fitSlope } from '../../measure.ts'
import type { FakeModel } from '../../processes/model-process.ts'
import { clockMicroseconds, encodePlan } from '../../stack/plan.ts'
import { listen, type Listener, type Token } from '../client/listen.ts'
import type { RunningPeer, Turn } from '../peer.ts'
import type { Cells } from './rows.ts'

/** Measures the median time to the first token of consecutive turns. */
export async function timeFirstToken(peer: RunningPeer, turns: number): Promise<Cells> {
  const times: number[] = []
  for (let index = 0; index < turns; index++) {
    const { post } = await peer.prepareTurn(encodePlan({ tokens: 1, perSecond: 0, numbered: true }))
    const begin = clockMicroseconds()
    const client = listen(post)
    await client.ended
    times.push(((client.tokens[0]?.receivedAt ?? Number.NaN) - begin) / 1000)
    await pause(30)
  }
  return { firstToken: median(times) }
}

const steps = 51

/** Measures steps by the times of the calls to the fake model, so that all peers are timed in the same way. */
export async function timeSteps(peer: RunningPeer, model: FakeModel, turns: number): Promise<Cells> {
  const turnDurations: number[][] = []
  for (let index = 0; index < turns; index++) {
    const name = `steps ${clockMicroseconds()}`
    const { post } = await peer.prepareTurn(
      encodePlan({ tokens: 1, perSecond: 0, steps, tool: 'none', numbered: true, name }),
    )
    await listen(post).ended
    const calls = await model.listCalls(name)
    if (calls.length !== steps) throw new Error(`the model was called ${calls.length} times`)
    turnDurations.push(calls.slice(1).map((call, step) => (call - (calls[step] ?? Number.NaN)) / 1000))
  }
  return { step: median(turnDurations.flat()), slope: fitSlope(turnDurations) }
}

/** Measures the time to resume a stream after a disconnect. */
export async function timeResume(peer: RunningPeer): Promise<Cells> {
  const tokens = 100
  const turn = await peer.prepareTurn(encodePlan({ tokens, perSecond: 50, numbered: true }))
  const first = listen(turn.post)
  await waitForTokens(first, 30)
  first.close()
  await first.ended
  const receivedCount = first.tokens.length
  await pause(500)
  const begin = clockMicroseconds()
  const second = listen(turn.resume(first.position), first)
  if ((await second.status) !== 200) return { afterResume: 'lost' }
  await Promise.race([second.ended, pause(20_000)])
  second.close()
  const next = second.tokens.slice(receivedCount).find(({ index }) => index >= receivedCount)
  return {
    ...(next !== undefined && { resume: (next.receivedAt - begin) / 1000 }),
    afterResume: describeTokens(second.tokens, tokens, 'sent again'),
  }
}

/** Measures the time from the kill of the process that runs a turn to the next token. */
export async function timeRecovery(peer: RunningPeer): Promise<Cells> {
  const tokens = 150
  const turn = await peer.prepareTurn(encodePlan({ tokens, perSecond: 50, numbered: true }))
  const client = listen(turn.post)
  await waitForTokens(client, 50)
  const begin = clockMicroseconds()
  await peer.kill()
  const restarted = peer.restart()
  restarted.catch(() => {})
  await readToEnd(turn, client, begin, tokens)
  await restarted
  const next = findFirstAfter(client, begin)
  return {
    ...(next !== undefined && { recovery: (next.receivedAt - begin) / 1000 }),
    afterKill: next === undefined ? 'the rest is lost' : describeTokens(client.tokens, tokens, 'duplicated'),
  }
}

/** `next`: time limit for the first token after the kill. `whole`: time limit for the whole answer. */
const timeoutMs = { next: 12_000, whole: 25_000 }

/** Reconnects each time the stream is cut, until all tokens have arrived or the time limit is reached. */
async function readToEnd(turn: Turn, first: Listener, killedAt: number, expected: number): Promise<void> {
  let client = first
  for (;;) {
    const limitMs = findFirstAfter(client, killedAt) === undefined ? timeoutMs.next : timeoutMs.whole
    const remainingMs = limitMs - (clockMicroseconds() - killedAt) / 1000
    if (remainingMs <= 0 || new Set(client.tokens.map(({ index }) => index)).size === expected) break
    await Promise.race([client.ended, pause(Math.min(remainingMs, 1000))])
    if (client.isOpen()) continue
    await pause(50)
    client = listen(turn.resume(client.position), client)
  }
  client.close()
}

/** Returns the first token that the model sent after this time. */
function findFirstAfter({ tokens }: Listener, time: number): Token | undefined {
  return tokens.find(({ sentAt }) => sentAt > time)
}

async function waitForTokens({ tokens, status }: Listener, count: number): Promise<void> {
  if ((await status) !== 200) throw new Error(`the request was rejected: ${await status}`)
  if (!(await waitFor(() => tokens.length >= count, 30_000, 5))) throw new Error(`only ${tokens.length} tokens arrived`)
}

function describeTokens(tokens: Token[], expected: number, repeatLabel: string): string {
  const indexes = new Set(tokens.map(({ index }) => index))
  const missing = expected - indexes.size
  const repeated = tokens.length - indexes.size
  if (missing === 0 && repeated === 0) return 'whole'
  return [missing > 0 && `${missing} missing`, missing === 0 && 'whole', repeated > 0 && `${repeated} ${repeatLabel}`]
    .filter(Boolean)
    .join(', ')
}
