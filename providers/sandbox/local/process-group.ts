import { Readable, type Writable } from 'node:stream'
import { bareEnvironment } from '../../bare-environment.ts'
import { isBytes, startGroup, type Group, type GroupEnd } from '../children/start-group.mjs'
import { startInForkServer, type GroupEvents } from '../fork-server.ts'

export type GroupOptions = Omit<Group, 'argv' | 'env'> & {
  /** Consumes the output instead of collecting it. The group is killed when this fails. */
  takeOutput?: (output: Readable) => Promise<void>
  timeoutMs: number
  maxOutputBytes: number
  signal?: AbortSignal
  onBytes?: (bytes: Buffer) => void
}

export type GroupResult = {
  /** Exit code from the status descriptor; null when the program was killed. */
  exitCode: number | null
  output: Buffer
  truncated: boolean
  timedOut: boolean
  /** Messages of the sandbox program itself, never of programs inside the sandbox. */
  complaint: string
}

/** Maximum input for the fork server. Copying more would cost more than starting the group from this process. */
const largestInput = 256 * 1024

/**
 * Runs a program as its own process group. Kills the group at its time or output limit, when the signal aborts, or when its
 * streamed input fails. An abort rejects with the signal's reason.
 */
export function runGroup(
  argv: string[],
  options: GroupOptions & { onSpawn?: (pid: number, kill: () => void) => void },
): Promise<GroupResult> {
  return new Promise((resolve, reject) => {
    const { signal, maxOutputBytes } = options
    if (signal?.aborted) {
      reject(signal.reason as Error)
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    let truncated = false
    let timedOut = false
    let broken: Error | undefined
    const kill = (): void => started.kill()
    const settle = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
    }
    const started = launchGroup(argv, options, {
      onSpawn: (pid) => options.onSpawn?.(pid, kill),
      onOutput: (chunk) => {
        if (truncated) return
        const rest = maxOutputBytes - size
        truncated = chunk.length > rest
        const kept = truncated ? chunk.subarray(0, rest) : chunk
        size += kept.length
        chunks.push(kept)
        if (kept.length > 0) options.onBytes?.(kept)
        if (truncated) kill()
      },
      onBroken: (error) => {
        broken = error
        kill()
      },
      onError: (error) => {
        settle()
        reject(error)
      },
      onClose: ({ status, complaint }, taken) => {
        settle()
        if (signal?.aborted) {
          reject(signal.reason as Error)
          return
        }
        if (broken !== undefined) {
          reject(broken)
          return
        }
        const exitCode = truncated || timedOut ? null : parseExitCode(status)
        const result = { exitCode, output: Buffer.concat(chunks), truncated, timedOut, complaint }
        if (taken === undefined) resolve(result)
        else taken.then(() => resolve(result), reject)
      },
    })
    const timer = setTimeout(() => {
      timedOut = true
      kill()
    }, options.timeoutMs)
    signal?.addEventListener('abort', kill, { once: true })
  })
}

type Events = Omit<GroupEvents, 'onClose'> & {
  onBroken: (error: Error) => void
  /** `taken`: resolves when the consumer has processed the output. */
  onClose: (end: GroupEnd, taken?: Promise<void>) => void
}

/** Starts a group from the fork server if possible. A group with streamed input or output starts in this process. */
function launchGroup(argv: string[], options: GroupOptions, events: Events): { kill: () => void } {
  const { stdin, args, script, filter, niceness, maxOutputBytes } = options
  const group: Group = { argv, env: bareEnvironment, stdin, args, script, filter, niceness }
  const isSmall = stdin === undefined || (isBytes(stdin) && stdin.length <= largestInput)
  const served =
    isSmall && options.takeOutput === undefined ? startInForkServer({ ...group, maxOutputBytes }, events) : undefined
  return served ?? startHere(group, options, events)
}

function startHere(group: Group, { takeOutput }: GroupOptions, events: Events): { kill: () => void } {
  let taken: Promise<void> | undefined
  const { input, output, kill } = startGroup(group, { ...events, onClose: (end) => events.onClose(end, taken) })
  if (takeOutput === undefined) output.on('data', events.onOutput)
  else {
    taken = take(output, takeOutput, kill)
    taken.catch(() => {})
  }
  if (input !== null && group.stdin !== undefined && !isBytes(group.stdin))
    pour(input, Readable.from(group.stdin), events.onBroken)
  return { kill }
}

async function take(
  output: Readable,
  takeOutput: (output: Readable) => Promise<void>,
  kill: () => void,
): Promise<void> {
  try {
    await takeOutput(output)
  } catch (error) {
    kill()
    output.destroy()
    throw error
  }
}

/** Feeds a stream to the program and reports its errors. Reading stops once the program has ended. */
function pour(stream: Writable, content: Readable, onBroken: (error: Error) => void): void {
  stream.on('error', () => {}).once('close', () => content.destroy())
  content.once('error', (error) => {
    stream.destroy()
    onBroken(error)
  })
  content.pipe(stream)
}

function parseExitCode(status: string): number | null {
  const found = /"exit-code":\s*(\d+)/.exec(status)
  return found === null ? null : Number(found[1])
}
