import type { Stack } from './stack/stack.ts'

type Aim = { atMost: number } | { atLeast: number }

/** A figure with its spread across the rounds. */
export type Figure = { value: number; low: number; high: number }

/** One row of a benchmark's results table. */
export type Row = Figure & {
  name: string
  /** `x` for a ratio; otherwise a unit such as `ms` or `tokens/s`. */
  unit: string
  aim?: Aim
  /** How the figure is measured, in one line. */
  how: string
  /** Text with the figures of Backline and of the control. */
  detail?: string
}

export type Bench = {
  name: string
  /** Settings of the API and the worker in this benchmark. */
  settings?: Record<string, string>
  run(stack: Stack, options: { quick: boolean }): Promise<Row[]>
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Figures of Backline and of the control, by round. */
export type Rounds = { ours: number[]; control: number[] }

/**
 * Measures both sides alternately, round by round, so that other load on the machine affects both. The side that starts
 * a round alternates too. Each side returns one figure per round; warm-up rounds are not counted.
 */
export async function compare(options: {
  rounds: number
  warmUp?: number
  ours: () => Promise<number>
  control: () => Promise<number>
}): Promise<Rounds> {
  const result: Rounds = { ours: [], control: [] }
  const { rounds, warmUp = 1 } = options
  for (let round = -warmUp; round < rounds; round++) {
    const sides = round % 2 === 0 ? (['control', 'ours'] as const) : (['ours', 'control'] as const)
    for (const side of sides) {
      const figure = await options[side]()
      if (round >= 0) result[side].push(figure)
    }
  }
  return result
}

/** Returns the milliseconds of the work. */
export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** Runs the work `calls` times in sequence. Returns the milliseconds of one call. */
export async function measurePerCall(calls: number, work: () => Promise<unknown>): Promise<number> {
  const ms = await measureMs(async () => {
    for (let call = 0; call < calls; call++) await work()
  })
  return ms / calls
}

/** Returns the ratio of the medians, with the smallest and largest ratio of a round. */
export function measureRatio(rounds: Rounds): Figure {
  return combineRounds(rounds, (ours, control) => ours / control)
}

/** Returns the difference of the medians, with the smallest and largest difference of a round. */
export function measureDifference(rounds: Rounds): Figure {
  return combineRounds(rounds, (ours, control) => ours - control)
}

/** Returns the median with the smallest and largest value. */
export function measureSpread(values: readonly number[]): Figure {
  return {
    value: median(values),
    low: Math.min(...values),
    high: Math.max(...values),
  }
}

/** Fits a least-squares line to the durations of the steps. Returns the ratio of its end to its beginning. */
export function fitSlope(turns: number[][]): number {
  const steps = turns[0]?.length ?? 0
  // The median excludes turns that other load on the machine delayed.
  const medians = Array.from({ length: steps }, (_, step) => median(turns.map((turn) => turn[step] ?? Number.NaN)))
  const middle = (steps - 1) / 2
  const level = mean(medians)
  const rise =
    medians.reduce((sum, ms, step) => sum + (step - middle) * ms, 0) /
    medians.reduce((sum, _, step) => sum + (step - middle) ** 2, 0)
  return (level + rise * middle) / (level - rise * middle)
}

/** Returns whether the figure meets the aim; undefined if the row has no aim. */
export function meetsAim({ value, aim }: Pick<Row, 'value' | 'aim'>): boolean | undefined {
  return aim === undefined ? undefined : 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast
}

/** Returns a text with the medians of both sides. */
export function describeMedians({ ours, control }: Rounds, name: string): string {
  return `${median(ours).toFixed(1)} ms, ${name} ${median(control).toFixed(1)} ms`
}

function combineRounds(rounds: Rounds, combine: (ours: number, control: number) => number): Figure {
  const figures = rounds.ours.map((ours, round) => combine(ours, rounds.control[round] ?? Number.NaN))
  const value = combine(median(rounds.ours), median(rounds.control))
  return { value, low: Math.min(...figures), high: Math.max(...figures) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
