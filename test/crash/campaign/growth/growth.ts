import type { PartSample } from '../../cluster/samples.ts'

/** Memory and open files of one process over its lifetime, excluding the first minute. */
export type Life = {
  part: string
  pid: number
  minutes: number
  firstMb: number
  lastMb: number
  highestMb: number
  /** Slope over the second half of the lifetime, when caches are full and only a leak grows. */
  mbPerHour: number
  firstFiles: number
  lastFiles: number
}

const settlingMs = 60_000
const windowMs = 60_000
const hourMs = 3_600_000
const megabyte = 1024 * 1024

/** Returns the least-squares slope per unit of x, or 0 for fewer than two points. */
export const fitSlope = (points: { x: number; y: number }[]): number => {
  const computeMean = (select: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + select(point), 0) / Math.max(1, points.length)
  const x = computeMean((point) => point.x)
  const y = computeMean((point) => point.y)
  const spread = computeMean((point) => (point.x - x) ** 2)
  return spread === 0 ? 0 : computeMean((point) => (point.x - x) * (point.y - y)) / spread
}

const average = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const averageMegabytes = (list: PartSample[]): number => average(list.map(({ rssBytes }) => rssBytes / megabyte))
const averageFiles = (list: PartSample[]): number => average(list.map(({ openFiles }) => openFiles))

/** Returns the lifetime of each process that ran for more than a minute, in the order of the samples. */
export const listLives = (samples: PartSample[]): Life[] => {
  const processes = new Map<string, PartSample[]>()
  for (const sample of samples) {
    const key = `${sample.part} ${sample.pid}`
    processes.set(key, [...(processes.get(key) ?? []), sample])
  }
  return [...processes.values()].flatMap((samplesOfProcess) => {
    const startedAt = samplesOfProcess[0]?.at ?? 0
    const settled = samplesOfProcess.filter(({ at }) => at >= startedAt + settlingMs)
    const first = settled[0]
    const last = settled.at(-1)
    if (first === undefined || last === undefined || last === first) return []
    const firstSamples = settled.filter(({ at }) => at <= first.at + windowMs)
    const lastSamples = settled.filter(({ at }) => at >= last.at - windowMs)
    const secondHalf = settled.filter(({ at }) => at >= (first.at + last.at) / 2)
    return [
      {
        part: first.part,
        pid: first.pid,
        minutes: (last.at - startedAt) / 60_000,
        firstMb: averageMegabytes(firstSamples),
        lastMb: averageMegabytes(lastSamples),
        highestMb: settled.reduce((most, { rssBytes }) => Math.max(most, rssBytes / megabyte), 0),
        mbPerHour: fitSlope(secondHalf.map(({ at, rssBytes }) => ({ x: at / hourMs, y: rssBytes / megabyte }))),
        firstFiles: averageFiles(firstSamples),
        lastFiles: averageFiles(lastSamples),
      },
    ]
  })
}

/** Returns the longest lifetime of each part, because a slope over a few minutes is not meaningful. */
export const findLongestLives = (lives: Life[]): Life[] => {
  const longest = new Map<string, Life>()
  for (const life of lives) if (life.minutes > (longest.get(life.part)?.minutes ?? 0)) longest.set(life.part, life)
  return [...longest.values()].sort((a, b) => a.part.localeCompare(b.part))
}
