import { measureSpread, type Row } from '../../measure.ts'
import { runClosedLoop, type Loop } from '../../stack/closed-loop.ts'

/** Runs one turn of so many model calls, to the end of its stream. */
export type RunTurn = (steps: number) => Promise<void>

/** Model calls of a turn in the rows about steps. */
const steps = 11

export async function measureRates(turn: RunTurn, loop: Loop, rounds: number): Promise<Row[]> {
  const kinds = [
    { of: 'turns', count: 1, how: 'turns of one model call that is answered immediately' },
    {
      of: 'steps',
      count: steps,
      how: `model calls in turns of ${steps}, each but the last with a call that needs nothing`,
    },
  ]
  const rows: Row[] = []
  for (const { of, count, how } of kinds) {
    const measured: number[] = []
    for (let round = 0; round < rounds; round++)
      measured.push(count * (await runClosedLoop(loop, () => turn(count))).perSecond)
    rows.push({
      name: `${of} a second, ${loop.clients} ${loop.clients === 1 ? 'client' : 'clients'}`,
      ...measureSpread(measured),
      unit: `${of}/s`,
      how: `${how}, each turn a request of its own; every client begins the next turn when its stream has ended`,
    })
  }
  return rows
}
