import { runClosedLoop } from '../../stack/closed-loop.ts'
import { planText } from '../../stack/plan.ts'
import { readTreeCpu } from '../../processes/usage.ts'
import { listen } from '../client/listen.ts'
import type { RunningPeer } from '../peer.ts'
import type { Cells } from './rows.ts'

/** Clients of the closed loops. */
export const loops = [1, 8, 32, 100] as const
type LoopSize = (typeof loops)[number]

/** Number of streams at which CPU time is measured. */
const busy = 32
/** Model calls of a turn in the rows about steps. */
const steps = 11

/** Turns a second in a closed loop, and what one costs. */
export async function loopTurns(peer: RunningPeer, clients: LoopSize, seconds: number): Promise<Cells> {
  const { perSecond, costMs } = await runLoop(peer, clients, seconds, 1)
  return { [`turns${clients}`]: perSecond, ...(clients === busy && { turnCost: costMs }) }
}

/** Steps a second in a closed loop of turns of eleven, and what one costs with its share of the turn. */
export async function loopSteps(peer: RunningPeer, clients: LoopSize, seconds: number): Promise<Cells> {
  const { perSecond, costMs } = await runLoop(peer, clients, seconds, steps)
  return { [`steps${clients}`]: steps * perSecond, ...(clients === busy && { stepCost: costMs / steps }) }
}

async function runLoop(peer: RunningPeer, clients: number, seconds: number, count: number) {
  const spent = (): number => peer.pids().reduce((sum, pid) => sum + readTreeCpu(pid), 0)
  const before = spent()
  const { perSecond, ended } = await runClosedLoop({ clients, windowMs: seconds * 1000 }, async () => {
    const plan = planText({ tokens: 1, perSecond: 0, numbered: true, steps: count, tool: 'none' })
    const { post } = await peer.prepareTurn(plan)
    const client = listen(post)
    await client.ended
    if (client.tokens.length === 0) throw new Error('a turn has ended without its token')
  })
  return { perSecond, costMs: (spent() - before) / 1000 / ended }
}
