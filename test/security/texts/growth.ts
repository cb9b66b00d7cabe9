import { serialize } from 'node:v8'

/** A function that reads or renders an input. */
export type Run<Input = string> = (input: Input) => unknown

/** Maximum growth of time and result for 16 times the input: 2.2 times for each of four doublings. */
const maxGrowth = 2.2 ** 4
const factor = 16
/**
 * Maximum growth for 3 times the input, which confirms an excess of `maxGrowth`. Linear work grows 3 times, quadratic work
 * 9 times.
 */
const maxFurtherGrowth = 3 ** 1.5
const furtherFactor = 3
/** Minimum milliseconds of the first measurement, because noise dominates shorter measurements. */
const screenMs = 2
const decisiveMs = 20
const decisiveRounds = 8
/** Multiple of the limit above which a measurement is not repeated. */
const decisiveFactor = 4
const maxCalls = 4096
const noiseBytes = 4096

/** A function, the number of its calls in a measurement, and the minimum milliseconds of a call. */
type Measurement = { run: () => unknown; calls: number; ms: number }

/** Returns the CPU time in milliseconds. Unlike wall-clock time, it hardly depends on other processes. */
const readCpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const measure = async (measurement: Measurement): Promise<void> => {
  const startMs = readCpuMs()
  for (let call = 0; call < measurement.calls; call++) await measurement.run()
  measurement.ms = Math.min(measurement.ms, (readCpuMs() - startMs) / measurement.calls)
}

const repeatFor = (measurement: Measurement, ms: number): void => {
  measurement.calls = Math.min(maxCalls, Math.max(measurement.calls, Math.ceil(ms / Math.max(measurement.ms, 1e-3))))
}

/**
 * Returns the ratio of the CPU times of `large` and `small`. Measurements alternate, and the ratio uses the minimum time of
 * each function, because noise only adds time. A ratio above `limit` is measured again until it is within the limit or far
 * above the limit.
 */
export const measureGrowth = async (small: () => unknown, large: () => unknown, limit: number): Promise<number> => {
  const smallRun: Measurement = { run: small, calls: 1, ms: Infinity }
  const largeRun: Measurement = { run: large, calls: 1, ms: Infinity }
  const growth = (): number => largeRun.ms / smallRun.ms
  await measure(smallRun)
  repeatFor(smallRun, screenMs)
  await measure(smallRun)
  await measure(largeRun)
  for (let round = 0; round < decisiveRounds && growth() > limit; round++) {
    if (round > 0 && growth() > decisiveFactor * limit) break
    repeatFor(smallRun, decisiveMs)
    repeatFor(largeRun, decisiveMs)
    await measure(smallRun)
    await measure(largeRun)
  }
  return growth()
}

/** Minimum milliseconds of the compiled calibration on the reference machine, an idle processor of 2.5 GHz. */
const referenceMs = 3

/** Number of calls after which the calibration is compiled code. */
const warmUps = 4

/** Performs typical work of parsers: characters, expressions, short texts and objects. */
const calibrate = (): number => {
  const text = 'The quick brown fox, [jumps](over) **the** lazy dog.\n'.repeat(200)
  let count = 0
  for (let round = 0; round < 16; round++) {
    for (let index = 0; index < text.length; index++) count += text.charCodeAt(index) & 3
    for (const [word] of text.matchAll(/[a-z]+/gi)) count += { word: word.toUpperCase() }.word.length
    count += JSON.stringify(text.split('\n').map((line) => ({ line }))).length
  }
  return count
}

/**
 * Returns the milliseconds of a call, scaled to the reference machine by a calibration that alternates with the measurements.
 * A time far below `limit` is not scaled. A time above `limit` is measured again.
 */
const measureReferenceTime = async (run: () => unknown, limit: number): Promise<number> => {
  const calibration: Measurement = { run: calibrate, calls: 1, ms: Infinity }
  const measured: Measurement = { run, calls: 1, ms: Infinity }
  const computeTime = (): number => (measured.ms / calibration.ms) * referenceMs
  await measure(measured)
  if (measured.ms < limit / 4) return measured.ms
  for (let call = 0; call < warmUps; call++) await measure(calibration)
  for (let round = 0; round < decisiveRounds && computeTime() > limit; round++) {
    if (computeTime() > decisiveFactor * limit) break
    await measure(calibration)
    await measure(measured)
  }
  return computeTime()
}

const maxMs = 100

const textSize = 64 * 1024

/**
 * Explains why the texts of `build` take too much time or memory. Returns undefined if 64 KB take at most `limitMs`, and 16
 * times the text takes at most 2.2 ** 4 times the time and the result. An excess must also occur beyond 64 KB, because a
 * text that exceeds the CPU caches takes longer only once, while quadratic work takes longer at each size.
 */
export const findGrowth = async (
  run: Run,
  build: (size: number) => string,
  limitMs = maxMs,
): Promise<string | undefined> => {
  const small = createSample(run, build(textSize / factor))
  const large = createSample(run, build(textSize))
  const ms = await measureReferenceTime(large.run, limitMs)
  if (ms > limitMs) return `${Math.round(ms)} ms for 64 KB`
  const time = await measureGrowth(small.run, large.run, maxGrowth)
  const result = large.bytes() / small.bytes()
  if (time <= maxGrowth && result <= maxGrowth) return undefined
  const larger = createSample(run, build(furtherFactor * textSize))
  const furtherTime = await measureGrowth(large.run, larger.run, maxFurtherGrowth)
  const furtherResult = larger.bytes() / large.bytes()
  if (result > maxGrowth && furtherResult > maxFurtherGrowth)
    return `the result grows ${describeGrowth(result, furtherResult)}`
  return time > maxGrowth && furtherTime > maxFurtherGrowth
    ? `the time grows ${describeGrowth(time, furtherTime)}`
    : undefined
}

const describeGrowth = (growth: number, further: number): string =>
  `${growth.toFixed(1)} times for 16 times the text, then ${further.toFixed(1)} times for ${furtherFactor} times`

const createSample = (run: Run, text: string) => {
  let result: unknown
  return {
    run: async () => void (result = await run(text)),
    bytes: () => noiseBytes + (typeof result === 'string' ? result.length : serialize(result).length),
  }
}
