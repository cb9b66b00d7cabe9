import { readFileSync } from 'node:fs'
import { serialize } from 'node:v8'

/** Takes a text of a given size as a program outside could send it. */
export type Run<Input = string> = (input: Input) => unknown

/** Of four times the input, which is two doublings. */
const quadrupled = 2.2 ** 2
const maxMs = 100
/** What less time is left to chance: collected garbage, compiled code. */
const noiseMs = 2
const noiseBytes = 4096
const maxRounds = 12
/** Bytes by which one input may raise the largest size that the process has had. */
const maxRise = 150 * 1024 * 1024

/**
 * Milliseconds that this thread has had of the processor: a busy machine makes others wait longer, and adds little to
 * these. Elsewhere than on Linux those of the process, with the threads that compile and collect garbage.
 */
const spentMs = (): number => {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

const timeOf = async (run: () => unknown): Promise<{ ms: number; result: unknown }> => {
  const begun = spentMs()
  const result = await run()
  return { ms: spentMs() - begun, result }
}

/**
 * Why a run of `large`, which is four times `small`, takes too much time or memory; undefined when it takes what it may.
 * Both are run in turns, and the shortest times count: rounds go on while they are too long, since chance only adds.
 */
export const findGrowth = async <Input>(
  run: Run<Input>,
  { small, large, limitMs = maxMs }: { small: Input; large: Input; limitMs?: number },
): Promise<string | undefined> => {
  const before = process.resourceUsage().maxRSS
  const least = { small: Infinity, large: Infinity }
  let bytes = 0
  for (let round = 0; round < maxRounds; round++) {
    const one = await timeOf(() => run(small))
    const four = await timeOf(() => run(large))
    least.small = Math.min(least.small, one.ms)
    least.large = Math.min(least.large, four.ms)
    bytes = (sizeOf(four.result) + noiseBytes) / (sizeOf(one.result) + noiseBytes)
    if (bytes > quadrupled || least.large > 50 * maxMs) break
    if (isLinear(least) && least.large <= limitMs) break
  }
  const rise = (process.resourceUsage().maxRSS - before) * 1024
  if (bytes > quadrupled) return `${bytes.toFixed(1)} times the result for four times the input`
  if (rise > maxRise) return `${Math.round(rise / 2 ** 20)} MB of memory`
  if (least.large > limitMs) return `${Math.round(least.large)} ms`
  if (isLinear(least)) return undefined
  return `${(least.large / least.small).toFixed(1)} times the time for four times the input: ${least.large.toFixed(1)} ms`
}

const isLinear = ({ small, large }: { small: number; large: number }): boolean =>
  large + noiseMs <= quadrupled * (small + noiseMs)

/** What a result takes, as far as it can be copied. */
const sizeOf = (result: unknown): number => (typeof result === 'string' ? result.length : serialize(result).length)

/** How many times longer it takes for four times the input: about 4 when it is linear, 16 for the square. */
export const growthOf = async (size: number, run: (size: number) => () => unknown): Promise<number> => {
  const [one, four] = [run(size), run(4 * size)]
  const least = { one: Infinity, four: Infinity }
  for (let round = 0; round < 5; round++) {
    least.one = Math.min(least.one, (await timeOf(one)).ms)
    least.four = Math.min(least.four, (await timeOf(four)).ms)
  }
  return (least.four + noiseMs) / (least.one + noiseMs)
}
