import { serialize } from 'node:v8'

/** Reads or renders one input. */
export type Run<Input = string> = (input: Input) => unknown

/** The largest growth of time and result for 16 times the input, which is four doublings. */
const maxGrowth = 2.2 ** 4
const factor = 16
/** The growth for 3 times the input that confirms an excess: between 3 for linear and 9 for quadratic. */
const maxFurther = 3 ** 1.5
const beyond = 3
/** Milliseconds of a measurement: less is within the noise of the clock and of compiled code. */
const screenMs = 2
const decisiveMs = 20
const decisiveRounds = 8
/** A multiple of the limit that is not chance. */
const beyondChance = 4
const maxCalls = 4096
const noiseBytes = 4096

/** A measured input, the calls in one measurement, and the fewest milliseconds of one call. */
type Measurement = { run: () => unknown; calls: number; ms: number }

/** Returns milliseconds of CPU time, which a busy machine hardly changes, unlike wall-clock time. */
const readCpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const measure = async (measurement: Measurement): Promise<void> => {
  const begun = readCpuMs()
  for (let call = 0; call < measurement.calls; call++) await measurement.run()
  measurement.ms = Math.min(measurement.ms, (readCpuMs() - begun) / measurement.calls)
}

const repeatFor = (measurement: Measurement, ms: number): void => {
  measurement.calls = Math.min(maxCalls, Math.max(measurement.calls, Math.ceil(ms / Math.max(measurement.ms, 1e-3))))
}

/**
 * Returns how many times longer `large` takes. Measurements alternate, and the shortest times count, since noise only adds to
 * them. A first measurement is short; one above `enough` is repeated until it is within it or is decisive.
 */
export const measureGrowth = async (small: () => unknown, large: () => unknown, enough: number): Promise<number> => {
  const one: Measurement = { run: small, calls: 1, ms: Infinity }
  const many: Measurement = { run: large, calls: 1, ms: Infinity }
  const growth = (): number => many.ms / one.ms
  await measure(one)
  repeatFor(one, screenMs)
  await measure(one)
  await measure(many)
  for (let round = 0; round < decisiveRounds && growth() > enough; round++) {
    if (round > 0 && growth() > beyondChance * enough) break
    repeatFor(one, decisiveMs)
    repeatFor(many, decisiveMs)
    await measure(one)
    await measure(many)
  }
  return growth()
}

/** Milliseconds of the calibration on the reference machine, an idle processor of 2.5 GHz. */
const referenceMs = 6

/** Number of calls after which the calibration is compiled code. */
const warmUps = 4

/** Does the kinds of work that parsers do: characters, expressions, short texts, objects. */
const calibrate = (): number => {
  const text = 'The quick brown fox, [jumps](over) **the** lazy dog.\n'.repeat(200)
  let count = 0
  for (let round = 0; round < 16; round++) {
    for (let at = 0; at < text.length; at++) count += text.charCodeAt(at) & 3
    for (const [word] of text.matchAll(/[a-z]+/gi)) count += { word: word.toUpperCase() }.word.length
    count += JSON.stringify(text.split('\n').map((line) => ({ line }))).length
  }
  return count
}

/**
 * Returns the milliseconds of one call on the reference machine. The calibration, measured at the same time, compensates
 * for the speed of this one. What is far below `enough` is not compared; what is above it is measured again.
 */
const measureReferenceTime = async (run: () => unknown, enough: number): Promise<number> => {
  const calibration: Measurement = { run: calibrate, calls: 1, ms: Infinity }
  const measured: Measurement = { run, calls: 1, ms: Infinity }
  const time = (): number => (measured.ms / calibration.ms) * referenceMs
  await measure(measured)
  if (measured.ms < enough / 4) return measured.ms
  for (let call = 0; call < warmUps; call++) await measure(calibration)
  for (let round = 0; round < decisiveRounds && time() > enough; round++) {
    if (time() > beyondChance * enough) break
    await measure(calibration)
    await measure(measured)
  }
  return time()
}

const maxMs = 100

const textSize = 64 * 1024

/**
 * Returns why a text of `make` takes too much time or memory, or undefined if it stays within the limits: 64 KB within 100 ms,
 * and for 16 times the text at most 2.2 ** 4 times the time and the result. An excess must continue beyond 64 KB: a text that
 * no longer fits the caches, or is read differently because of its size, takes longer once; quadratic work, at each size.
 */
export const findGrowth = async (
  run: Run,
  make: (size: number) => string,
  limitMs = maxMs,
): Promise<string | undefined> => {
  const small = createSample(run, make(textSize / factor))
  const large = createSample(run, make(textSize))
  const ms = await measureReferenceTime(large.run, limitMs)
  if (ms > limitMs) return `${Math.round(ms)} ms for 64 KB`
  const time = await measureGrowth(small.run, large.run, maxGrowth)
  const result = large.bytes() / small.bytes()
  if (time <= maxGrowth && result <= maxGrowth) return undefined
  const larger = createSample(run, make(beyond * textSize))
  const furtherTime = await measureGrowth(large.run, larger.run, maxFurther)
  const furtherResult = larger.bytes() / large.bytes()
  if (result > maxGrowth && furtherResult > maxFurther) return `the result grows ${times(result, furtherResult)}`
  return time > maxGrowth && furtherTime > maxFurther ? `the time grows ${times(time, furtherTime)}` : undefined
}

const times = (growth: number, further: number): string =>
  `${growth.toFixed(1)} times for 16 times the text, then ${further.toFixed(1)} times for ${beyond} times`

const createSample = (run: Run, text: string) => {
  let result: unknown
  return {
    run: async () => void (result = await run(text)),
    bytes: () => noiseBytes + (typeof result === 'string' ? result.length : serialize(result).length),
  }
}
