import { measureSpread, type Row } from '../../measure.ts'
import { runClosedLoop, type Loop } from '../../stack/closed-loop.ts'

/** Runs one turn with this number of model calls, to the end of its stream. */
export type RunTurn = (steps: number) => Promise<void>

/** Number of model calls in each turn of the rows about steps. */
const steps = 11

export async function measureRates(turn: RunTurn, loop: Loop, rounds: number): Promise<Row[]> {
  const kinds = [
    { unit: 'turns', count: 1, how: 'turns of one model call that is answered immediately' },
    {
      unit: 'steps',
      count: steps,
      how: `model calls in turns of ${steps}, each except the last with a tool call that runs nothing`,
    },
  ]
  const rows: Row[] = []
  for (const { unit, count, how } of kinds) {
    const rates: number[] = []
    for (let round = 0; round < rounds; round++)
      rates.push(count * (await runClosedLoop(loop, () => turn(count))).perSecond)
    rows.push({
      name: `${unit} per second, ${loop.clients} ${loop.clients === 1 ? 'client' : 'clients'}`,
      ...measureSpread(rates),
      unit: `${unit}/s`,
      how: `${how}, one request per turn; each client starts its next turn when its stream has ended`,
    })
  }
  return rows
}
