import { serialize } from 'node:v8'

/** Reads or shows one input. */
export type Run<Input = string> = (input: Input) => unknown

/** The largest growth of time and result for 16 times the input, which is four doublings. */
const maxGrowth = 2.2 ** 4
const factor = 16
/** The growth for 3 times the input that confirms an excess: between 3 of what is linear and 9 of the square. */
const maxFurther = 3 ** 1.5
const beyond = 3
/** Milliseconds of a measurement: less is within the noise of the clock and of compiled code. */
const screenMs = 2
const decisiveMs = 20
const decisiveRounds = 8
/** So many times what is allowed is not chance. */
const beyondChance = 4
const maxCalls = 4096
const noiseBytes = 4096

/** A measured input: how often one measurement repeats it, and the least milliseconds of one call. */
type Least = { run: () => unknown; calls: number; ms: number }

/** Milliseconds of CPU time: a busy machine makes the clock on the wall run, and hardly this one. */
const spentMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const measure = async (least: Least): Promise<void> => {
  const begun = spentMs()
  for (let call = 0; call < least.calls; call++) await least.run()
  least.ms = Math.min(least.ms, (spentMs() - begun) / least.calls)
}

const repeatFor = (least: Least, ms: number): void => {
  least.calls = Math.min(maxCalls, Math.max(least.calls, Math.ceil(ms / Math.max(least.ms, 1e-3))))
}

/**
 * How many times longer `large` takes. Both are measured in turns and the least times count, since chance only adds to
 * them. A first measurement is short; one above `enough` is repeated until it is within it or is decisive.
 */
export const measureGrowth = async (small: () => unknown, large: () => unknown, enough: number): Promise<number> => {
  const one: Least = { run: small, calls: 1, ms: Infinity }
  const many: Least = { run: large, calls: 1, ms: Infinity }
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

/** Milliseconds of the calibration on the machine of reference: an idle processor of 2.5 GHz. */
const referenceMs = 6

/** Calls after which the calibration is compiled code. */
const warmUps = 4

/** Work of the kinds that parsers do: characters, expressions, short texts, objects. */
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
 * Milliseconds of one call on the machine of reference: the calibration, measured in the same moment, takes out how fast
 * this one is. What is far below `enough` is not compared; what is above it is measured again.
 */
const measureReferenceTime = async (run: () => unknown, enough: number): Promise<number> => {
  const calibration: Least = { run: calibrate, calls: 1, ms: Infinity }
  const measured: Least = { run, calls: 1, ms: Infinity }
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
 * Why a text of `make` takes too much time or memory; undefined when it takes what it may: 64 KB within 100 ms, and 16
 * times the text at most 2.2 ** 4 times the time and the result. An excess has to continue beyond 64 KB: a text that
 * no longer fits the caches, or is read in another way for its size, takes more once, and a square at each size.
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
