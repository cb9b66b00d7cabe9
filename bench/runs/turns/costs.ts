import { availableParallelism } from 'node:os'
import type { BareEngine } from '../../bare/engine.ts'
import { compare, median, measureRatio, measureSpread, type Row } from '../../measure.ts'
import { createMeter } from '../../processes/meter.ts'
import { runClosedLoop, type Loop } from '../../stack/closed-loop.ts'
import type { Stack } from '../../stack/stack.ts'
import type { RunTurn } from './rates.ts'

/** Number of model calls in the turns that measure each additional step. */
const many = 51

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
    return (meter.sums().at(-1) ?? Number.NaN) / 1000
  }
  const both = await compare({
    rounds,
    warmUp: 0,
    ours: measure(short, () => turn(1)),
    control: measure(control, () => bare.run(1)),
  })
  for (let round = 0; round < rounds; round++) await measure(long, () => turn(many))()
  const inDetail = (figure: (name: string) => number): string =>
    Object.keys(parts)
      .map((name) => `${name} ${(figure(name) / 1000).toFixed(2)}`)
      .join(', ')
  const additional = long.sums().map((sum, round) => (sum - (short.sums()[round] ?? Number.NaN)) / 1000 / (many - 1))
  const scope = `${loop.clients} clients in a closed loop; CPU time of all processes except the client and the fake model, read from /proc`
  return [
    {
      name: 'CPU time of a turn',
      ...measureSpread(both.ours),
      unit: 'ms',
      how: `${scope}; ${availableParallelism()} cores`,
      detail: inDetail((name) => short.medianOf(name)),
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
      how: `turns of ${many} model calls minus turns of one, divided by ${many - 1}; ${scope}`,
      detail: inDetail((name) => (long.medianOf(name) - short.medianOf(name)) / (many - 1)),
    },
  ]
}

export async function timeFurtherStep(turn: RunTurn, rounds: number): Promise<Row> {
  const timed = (count: number) => async (): Promise<number> => {
    const begin = performance.now()
    await turn(count)
    return performance.now() - begin
  }
  const both = await compare({ rounds, ours: timed(many), control: timed(1) })
  const each = both.ours.map((ms, round) => (ms - (both.control[round] ?? Number.NaN)) / (many - 1))
  return {
    name: 'time of each additional step',
    ...measureSpread(each),
    unit: 'ms',
    aim: { atMost: 6 },
    how: `a turn of ${many} model calls minus a turn of one, divided by ${many - 1}; one client`,
    detail: `${median(both.ours).toFixed(0)} ms, a turn of one ${median(both.control).toFixed(0)} ms`,
  }
}
