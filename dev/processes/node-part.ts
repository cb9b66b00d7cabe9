import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { launch, type LaunchedProcess } from './processes.ts'
import type { Print } from '../say.ts'

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/** Formats a JSON log line as readable text. Returns any other line unchanged. */
export function formatLogLine(line: string): string {
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
  /** Start of the command line, for example to run the process as another user. */
  prefix?: string[]
}

/**
 * By default, V8's young generation grows to 48 MB while a process starts and does not shrink. Half of this size saves 20
 * MB, and a step takes the same CPU time.
 */
const v8Flags = ['--max-semi-space-size=8']

// By default, each Node thread gets its own malloc arena, whose free memory is not returned to the system.
const allocator = { MALLOC_ARENA_MAX: '2' }

/** Starts an API or worker process. It exits when its standard input closes, which happens when this process dies. */
export async function launchNode(
  { name, file, env, stopWaitMs, prefix = [] }: NodePart,
  print: Print,
): Promise<LaunchedProcess> {
  const launched = await launch({
    prefix,
    command: [process.execPath, ...v8Flags, file],
    env: { ...allocator, ...env, BACKLINE_PARENT_PIPE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: stopWaitMs }],
  })
  // The child may close the pipe first, which is not an error.
  launched.child.stdin?.on('error', () => {})
  relayLines(launched.child.stdout, name, print)
  relayLines(launched.child.stderr, name, print)
  return launched
}

function relayLines(stream: Readable | null, name: string, print: Print): void {
  if (stream)
    createInterface({ input: stream }).on('line', (line) => print(`${name.padEnd(6)} | ${formatLogLine(line)}`))
}
