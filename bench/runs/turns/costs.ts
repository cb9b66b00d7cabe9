import { availableParallelism } from 'node:os'
import type { BareEngine } from '../../bare/engine.ts'
import { compare, median, measureRatio, measureSpread, type Row } from '../../measure.ts'
import { createMeter } from '../../processes/meter.ts'
import { runClosedLoop, type Loop } from '../../stack/closed-loop.ts'
import type { Stack } from '../../stack/stack.ts'
import type { RunTurn } from './rates.ts'

/** Number of model calls in the turns that measure each additional step. */
const longTurnSteps = 51

/** Measures the CPU time of a turn and of each additional step, alternated with a workflow of one activity. */
export async function measureCosts(
  stack: Stack,
  bare: BareEngine,
  turn: RunTurn,
  loop: Loop,
  rounds: number,
): Promise<Row[]> {
  const { worker, postgres, api, temporal } = stack.parts
  const parts = { worker, API: api, Postgres: postgres, Temporal: temporal }
  const [short, long] = [createMeter(parts), createMeter(parts)]
  const control = createMeter({ worker: bare, Temporal: temporal })
  const measure = (meter: typeof short, work: () => Promise<unknown>) => async (): Promise<number> => {
    await meter.during(
      () => runClosedLoop(loop, async () => void (await work())),
      ({ ended }) => ended,
    )
    return (meter.computeSums().at(-1) ?? Number.NaN) / 1000
  }
  const both = await compare({
    rounds,
    warmUp: 0,
    ours: measure(short, () => turn(1)),
    control: measure(control, () => bare.run(1)),
  })
  for (let round = 0; round < rounds; round++) await measure(long, () => turn(longTurnSteps))()
  const formatByProcess = (figure: (name: string) => number): string =>
    Object.keys(parts)
      .map((name) => `${name} ${(figure(name) / 1000).toFixed(2)}`)
      .join(', ')
  const additional = long
    .computeSums()
    .map((sum, round) => (sum - (short.computeSums()[round] ?? Number.NaN)) / 1000 / (longTurnSteps - 1))
  const scope = `${loop.clients} clients in a closed loop; CPU time of all processes except the client and the fake model, read from /proc`
  return [
    {
      name: 'CPU time of a turn',
      ...measureSpread(both.ours),
      unit: 'ms',
      how: `${scope}; ${availableParallelism()} cores`,
      detail: formatByProcess((name) => short.computeMedian(name)),
    },
    {
      name: 'CPU time of a turn: relative to a workflow of one eager activity',
      ...measureRatio(both),
      unit: 'x',
      aim: { atMost: 1.4 },
      how: `the same, relative to the CPU time of a minimal worker and the same Temporal while as many clients run workflows of one empty eager activity`,
      detail: `${median(both.ours).toFixed(1)} ms, bare ${median(both.control).toFixed(1)} ms`,
    },
    {
      name: 'CPU time of each additional step',
      ...measureSpread(additional),
      unit: 'ms',
      aim: { atMost: 4 },
      how: `turns of ${longTurnSteps} model calls minus turns of one, divided by ${longTurnSteps - 1}; ${scope}`,
      detail: formatByProcess((name) => (long.computeMedian(name) - short.computeMedian(name)) / (longTurnSteps - 1)),
    },
  ]
}

export async function timeAdditionalStep(turn: RunTurn, rounds: number): Promise<Row> {
  const timed = (count: number) => async (): Promise<number> => {
    const begin = performance.now()
    await turn(count)
    return performance.now() - begin
  }
  const both = await compare({ rounds, ours: timed(longTurnSteps), control: timed(1) })
  const durations = both.ours.map((ms, round) => (ms - (both.control[round] ?? Number.NaN)) / (longTurnSteps - 1))
  return {
    name: 'time of each additional step',
    ...measureSpread(durations),
    unit: 'ms',
    aim: { atMost: 6 },
    how: `a turn of ${longTurnSteps} model calls minus a turn of one, divided by ${longTurnSteps - 1}; one client`,
    detail: `${median(both.ours).toFixed(0)} ms, a turn of one ${median(both.control).toFixed(0)} ms`,
  }
}
