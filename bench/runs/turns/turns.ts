import { startBareEngine } from '../../bare/engine.ts'
import type { Bench, Row } from '../../measure.ts'
import { runClosedLoop } from '../../stack/closed-loop.ts'
import { encodePlan } from '../../stack/plan.ts'
import type { OpenChat } from '../../stack/stack.ts'
import { sendTurn } from '../../stack/turn.ts'
import { measureCosts, timeAdditionalStep } from './costs.ts'
import { readHistory } from './history.ts'
import { measureMemory } from './memory.ts'
import { measureRates, type RunTurn } from './rates.ts'

const clientCounts = [1, 8, 32, 100]
const maxClients = 100
const waitingTurns = 500
/** Number of clients at which CPU time is measured. */
const cpuClients = 32

/** Measures turns and steps per second in a closed loop, their CPU time, and the history and memory of turns. */
export const turns: Bench = {
  name: 'turns',
  run: async (stack, { quick }) => {
    const chats = await stack.openChats(waitingTurns)
    const windowMs = quick ? 1500 : 5000
    const rounds = quick ? 1 : 3
    const turn: RunTurn = async (count) => {
      const chat = chats.shift()
      if (chat === undefined) throw new Error('no chat is free')
      await sendTurn(stack.baseUrl, chat, encodePlan({ tokens: 1, perSecond: 0, steps: count, tool: 'none' }), () => {})
      chats.push(chat)
    }
    await runClosedLoop({ clients: maxClients, windowMs: 1000 }, () => turn(1))
    // Before the closed loops, whose garbage stays in the heaps.
    const memory = await measureMemory(stack, chats)
    const rows: Row[] = []
    for (const clients of clientCounts) rows.push(...(await measureRates(turn, { clients, windowMs }, rounds)))
    const bare = await startBareEngine(stack)
    rows.push(...(await measureCosts(stack, bare, turn, { clients: cpuClients, windowMs }, rounds)))
    await bare.close()
    rows.push(await timeAdditionalStep(turn, quick ? 3 : 10))
    rows.push(...(await readHistory(stack, chats[0] as OpenChat)))
    return [...rows, memory]
  },
}
