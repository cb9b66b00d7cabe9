import { setTimeout as pause } from 'node:timers/promises'
import { waitFor } from '../../../dev/processes/processes.ts'
import { median, fitSlope } from '../../measure.ts'
import type { FakeModel } from '../../processes/model-process.ts'
import { clockMicroseconds, planText } from '../../stack/plan.ts'
import { listen, type Listener, type Token } from '../client/listen.ts'
import type { RunningPeer, Turn } from '../peer.ts'
import type { Cells } from './rows.ts'

/** Median time to the first token of turns one after the other. */
export async function timeFirstToken(peer: RunningPeer, turns: number): Promise<Cells> {
  const times: number[] = []
  for (let index = 0; index < turns; index++) {
    const { post } = await peer.prepareTurn(planText({ tokens: 1, perSecond: 0, numbered: true }))
    const begin = clockMicroseconds()
    const client = listen(post)
    await client.ended
    times.push(((client.tokens[0]?.at ?? Number.NaN) - begin) / 1000)
    await pause(30)
  }
  return { firstToken: median(times) }
}

const steps = 51

/** The moments of the calls are those of the fake model, so that all peers are timed alike. */
export async function timeSteps(peer: RunningPeer, model: FakeModel, turns: number): Promise<Cells> {
  const each: number[][] = []
  for (let index = 0; index < turns; index++) {
    const name = `steps ${clockMicroseconds()}`
    const { post } = await peer.prepareTurn(
      planText({ tokens: 1, perSecond: 0, steps, tool: 'none', numbered: true, name }),
    )
    await listen(post).ended
    const calls = await model.listCalls(name)
    if (calls.length !== steps) throw new Error(`the model was called ${calls.length} times`)
    each.push(calls.slice(1).map((call, step) => (call - (calls[step] ?? Number.NaN)) / 1000))
  }
  return { step: median(each.flat()), slope: fitSlope(each) }
}

/** Leaves a stream and comes back to it. */
export async function comeBack(peer: RunningPeer): Promise<Cells> {
  const tokens = 100
  const turn = await peer.prepareTurn(planText({ tokens, perSecond: 50, numbered: true }))
  const first = listen(turn.post)
  await heardTokens(first, 30)
  first.close()
  await first.ended
  const seen = first.tokens.length
  await pause(500)
  const begin = clockMicroseconds()
  const second = listen(turn.resume(first.heard), first)
  if ((await second.status) !== 200) return { afterResume: 'lost' }
  await Promise.race([second.ended, pause(20_000)])
  second.close()
  const next = second.tokens.slice(seen).find(({ place }) => place >= seen)
  return {
    ...(next !== undefined && { resume: (next.at - begin) / 1000 }),
    afterResume: describe(second.tokens, tokens, 'sent again'),
  }
}

/** Kills the process that runs a turn in the middle of its stream. */
export async function killInTheMiddle(peer: RunningPeer): Promise<Cells> {
  const tokens = 150
  const turn = await peer.prepareTurn(planText({ tokens, perSecond: 50, numbered: true }))
  const client = listen(turn.post)
  await heardTokens(client, 50)
  const begin = clockMicroseconds()
  await peer.kill()
  const restarted = peer.restart()
  restarted.catch(() => {})
  await readOn(turn, client, begin, tokens)
  await restarted
  const next = nextAfter(client, begin)
  return {
    ...(next !== undefined && { recovery: (next.at - begin) / 1000 }),
    afterKill: next === undefined ? 'the rest is lost' : describe(client.tokens, tokens, 'twice'),
  }
}

/** A turn is lost when nothing comes for so long after the kill; what comes may take longer to come whole. */
const patienceMs = { next: 12_000, whole: 25_000 }

/** Reconnects each time the stream is cut, until it has everything or the deadline passes. */
async function readOn(turn: Turn, first: Listener, killedAt: number, wanted: number): Promise<void> {
  let client = first
  for (;;) {
    const limitMs = nextAfter(client, killedAt) === undefined ? patienceMs.next : patienceMs.whole
    const leftMs = limitMs - (clockMicroseconds() - killedAt) / 1000
    if (leftMs <= 0 || new Set(client.tokens.map(({ place }) => place)).size === wanted) break
    await Promise.race([client.ended, pause(Math.min(leftMs, 1000))])
    if (client.isOpen()) continue
    await pause(50)
    client = listen(turn.resume(client.heard), client)
  }
  client.close()
}

/** The first token that the model sent after this moment. */
function nextAfter({ tokens }: Listener, moment: number): Token | undefined {
  return tokens.find(({ sentAt }) => sentAt > moment)
}

async function heardTokens({ tokens, status }: Listener, count: number): Promise<void> {
  if ((await status) !== 200) throw new Error(`refused: ${await status}`)
  if (!(await waitFor(() => tokens.length >= count, 30_000, 5))) throw new Error(`only ${tokens.length} tokens came`)
}

function describe(tokens: Token[], wanted: number, again: string): string {
  const places = new Set(tokens.map(({ place }) => place))
  const missing = wanted - places.size
  const repeated = tokens.length - places.size
  if (missing === 0 && repeated === 0) return 'whole'
  return [missing > 0 && `${missing} missing`, missing === 0 && 'whole', repeated > 0 && `${repeated} ${again}`]
    .filter(Boolean)
    .join(', ')
}
