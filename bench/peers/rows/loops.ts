import { runClosedLoop } from '../../stack/closed-loop.ts'
import { encodePlan } from '../../stack/plan.ts'
import { readTreeCpu } from '../../processes/usage.ts'
import { listen } from '../client/listen.ts'
import type { RunningPeer } from '../peer.ts'
import type { Cells } from './rows.ts'

/** Numbers of clients in the closed loops. */
export const loopSizes = [1, 8, 32, 100] as const
type LoopSize = (typeof loopSizes)[number]

/** Number of clients at which CPU time is measured. */
const cpuClients = 32
/** Number of model calls in each turn of the rows about steps. */
const steps = 11
/** Number of model calls in each long turn. */
const longTurnSteps = 51

/** Measures the turns per second in a closed loop and their CPU time. */
export async function loopTurns(peer: RunningPeer, clients: LoopSize, seconds: number): Promise<Cells> {
  const { perSecond, costMs } = await runLoop(peer, clients, seconds, 1)
  return { [`turns${clients}`]: perSecond, ...(clients === cpuClients && { turnCost: costMs }) }
}

/** Measures the steps per second in a closed loop of turns of eleven steps, and the CPU time of a step. */
export async function loopSteps(peer: RunningPeer, clients: LoopSize, seconds: number): Promise<Cells> {
  const { perSecond, costMs } = await runLoop(peer, clients, seconds, steps)
  return { [`steps${clients}`]: steps * perSecond, ...(clients === cpuClients && { stepCost: costMs / steps }) }
}

/** Measures the CPU time that each step adds to a turn. */
export async function loopLongTurns(peer: RunningPeer, seconds: number): Promise<Cells> {
  const long = await runLoop(peer, cpuClients, seconds, longTurnSteps)
  const short = await runLoop(peer, cpuClients, seconds, 1)
  return { addedStepCost: (long.costMs - short.costMs) / (longTurnSteps - 1) }
}

async function runLoop(peer: RunningPeer, clients: number, seconds: number, stepsPerTurn: number) {
  const readCpu = (): number => peer.pids().reduce((sum, pid) => sum + readTreeCpu(pid), 0)
  const before = readCpu()
  const { perSecond, ended } = await runClosedLoop({ clients, windowMs: seconds * 1000 }, async () => {
    const plan = encodePlan({ tokens: 1, perSecond: 0, numbered: true, steps: stepsPerTurn, tool: 'none' })
    const { post } = await peer.prepareTurn(plan)
    const client = listen(post)
    await client.ended
    if (client.tokens.length === 0) throw new Error('a turn ended without its token')
  })
  return { perSecond, costMs: (readCpu() - before) / 1000 / ended }
}
