import { readdir, readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Frame = { functionName: string; url: string; lineNumber: number; columnNumber: number }
type Profile = {
  nodes: { id: number; callFrame: Frame }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

/** Origin of the code that a process was executing. */
export type Origin =
  | 'Node and the kernel'
  | 'garbage collection'
  | 'the Postgres driver'
  | 'other packages'
  | 'the server'

/**
 * Returns Node flags that make a process write a profile for `readProfile` when it exits. A process that is ended by a
 * signal writes no profile.
 */
export function getProfilingFlags(folder: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500']
}

/** Returns the current time of the clock that profiles use, in microseconds. */
export function readProfileClock(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** Returns a function that sums the microseconds that the main thread spent in code of each origin between two times. */
export async function readProfile(folder: string): Promise<(from: number, to: number) => Map<Origin, number>> {
  const name = (await readdir(folder)).find((file) => mainThread.test(file))
  if (name === undefined) throw new Error(`no profile was written: ${folder}`)
  const { nodes, startTime, samples, timeDeltas } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Profile
  const findOrigin = await createOriginFinder(nodes.map(({ callFrame }) => callFrame.url))
  const origins = new Map(nodes.map(({ id, callFrame }) => [id, findOrigin(callFrame)]))
  return (from, to) => {
    const spent = new Map<Origin, number>()
    let time = startTime
    for (const [index, id] of samples.entries()) {
      const elapsed = timeDeltas[index] ?? 0
      time += elapsed
      const origin = origins.get(id)
      if (time < from || time > to || origin === undefined) continue
      spent.set(origin, (spent.get(origin) ?? 0) + elapsed)
    }
    return spent
  }
}

// Profiles are named CPU.date.time.process.thread.count.cpuprofile. The main thread is thread 0.
const mainThread = /\.\d+\.0\.\d+\.cpuprofile$/

/** Creates a function that finds the origin of a stack frame, or undefined for idle time. */
async function createOriginFinder(urls: string[]): Promise<(frame: Frame) => Origin | undefined> {
  const maps = new Map<string, SourceMap>()
  for (const url of new Set(urls.filter((file) => file.includes('/dist/') && !file.includes('/node_modules/')))) {
    const payload = JSON.parse(await readFile(`${fileURLToPath(url)}.map`, 'utf8')) as SourceMapPayload
    maps.set(url, new SourceMap(payload))
  }
  return ({ functionName, url, lineNumber, columnNumber }) => {
    if (functionName === '(idle)') return undefined
    if (functionName === '(garbage collector)') return 'garbage collection'
    if (url === '' || url.startsWith('node:')) return 'Node and the kernel'
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber)
    const source = entry !== undefined && 'originalSource' in entry ? entry.originalSource : url
    if (source.includes('node_modules/postgres/')) return 'the Postgres driver'
    return source.includes('node_modules/') ? 'other packages' : 'the server'
  }
}
