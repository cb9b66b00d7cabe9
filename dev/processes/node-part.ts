import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { launch, type Launched } from './processes.ts'
import type { Print } from '../say.ts'

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/** A JSON log line in a form for people; any other line as it is. */
export function readable(line: string): string {
  if (!line.startsWith('{"level":')) return line
  try {
    const { level, time, msg, part: _part, ...rest } = JSON.parse(line) as Record<string, unknown>
    const clock = new Date(Number(time)).toISOString().slice(11, 23)
    const details = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : ''
    return `${clock} ${levels[Number(level)] ?? String(level)} ${typeof msg === 'string' ? msg : ''}${details}`
  } catch {
    return line
  }
}

export type NodePart = {
  name: string
  /** Path of the built entry file. */
  file: string
  env: NodeJS.ProcessEnv
  stopWaitMs: number
  /** Runs it as another user. */
  prefix?: string[]
}

/**
 * By default, the space for young objects grows to 48 MB while a process starts and stays so. Half of that saves 20 MB at
 * rest, and a step takes the same CPU time.
 */
const v8Flags = ['--max-semi-space-size=8']

// Each thread of Node would get an arena of its own, whose free memory stays with the process.
const allocator = { MALLOC_ARENA_MAX: '2' }

/** Starts one of our own processes: it ends on its own when its standard input does, which is when we are gone. */
export async function launchNode(
  { name, file, env, stopWaitMs, prefix = [] }: NodePart,
  print: Print,
): Promise<Launched> {
  const launched = await launch({
    prefix,
    command: [process.execPath, ...v8Flags, file],
    env: { ...allocator, ...env, BACKLINE_PARENT_PIPE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: stopWaitMs }],
  })
  // Writing nothing, its end closing first: neither is an error.
  launched.child.stdin?.on('error', () => {})
  relay(launched.child.stdout, name, print)
  relay(launched.child.stderr, name, print)
  return launched
}

function relay(stream: Readable | null, name: string, print: Print): void {
  if (stream) createInterface({ input: stream }).on('line', (line) => print(`${name.padEnd(6)} | ${readable(line)}`))
}
