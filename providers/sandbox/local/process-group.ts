import { Readable, type Writable } from 'node:stream'
import { bareEnvironment } from '../../bare-environment.ts'
import { isBytes, startGroup, type Group, type GroupEnd } from '../children/start-group.mjs'
import { startInForkServer, type GroupEvents } from '../fork-server.ts'

export type GroupOptions = Omit<Group, 'argv' | 'env'> & {
  /** Consumes the output, which is then not collected. If it fails, the group is killed. */
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

/** Maximum input for the fork server. Copying more input costs more than starting the group from this process. */
const maxInputBytes = 256 * 1024

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
    let inputError: Error | undefined
    const kill = (): void => started.kill()
    const cleanUp = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
    }
    const started = launchGroup(argv, options, {
      onSpawn: (pid) => options.onSpawn?.(pid, kill),
      onOutput: (chunk) => {
        if (truncated) return
        const remaining = maxOutputBytes - size
        truncated = chunk.length > remaining
        const accepted = truncated ? chunk.subarray(0, remaining) : chunk
        size += accepted.length
        chunks.push(accepted)
        if (accepted.length > 0) options.onBytes?.(accepted)
        if (truncated) kill()
      },
      onInputError: (error) => {
        inputError = error
        kill()
      },
      onError: (error) => {
        cleanUp()
        reject(error)
      },
      onClose: ({ status, complaint }, outputConsumed) => {
        cleanUp()
        if (signal?.aborted) {
          reject(signal.reason as Error)
          return
        }
        if (inputError !== undefined) {
          reject(inputError)
          return
        }
        const exitCode = truncated || timedOut ? null : parseExitCode(status)
        const result = { exitCode, output: Buffer.concat(chunks), truncated, timedOut, complaint }
        if (outputConsumed === undefined) resolve(result)
        else outputConsumed.then(() => resolve(result), reject)
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
  onInputError: (error: Error) => void
  /** `outputConsumed`: resolves when the consumer has processed the output. */
  onClose: (end: GroupEnd, outputConsumed?: Promise<void>) => void
}

/** Starts a group from the fork server if possible. A group with streamed input or output starts in this process. */
function launchGroup(argv: string[], options: GroupOptions, events: Events): { kill: () => void } {
  const { stdin, args, script, filter, niceness, maxOutputBytes } = options
  const group: Group = { argv, env: bareEnvironment, stdin, args, script, filter, niceness }
  const isSmall = stdin === undefined || (isBytes(stdin) && stdin.length <= maxInputBytes)
  const startedGroup =
    isSmall && options.takeOutput === undefined ? startInForkServer({ ...group, maxOutputBytes }, events) : undefined
  return startedGroup ?? startInThisProcess(group, options, events)
}

function startInThisProcess(group: Group, { takeOutput }: GroupOptions, events: Events): { kill: () => void } {
  let outputConsumed: Promise<void> | undefined
  const { input, output, kill } = startGroup(group, {
    ...events,
    onClose: (end) => events.onClose(end, outputConsumed),
  })
  if (takeOutput === undefined) output.on('data', events.onOutput)
  else {
    outputConsumed = consumeOutput(output, takeOutput, kill)
    outputConsumed.catch(() => {})
  }
  if (input !== null && group.stdin !== undefined && !isBytes(group.stdin))
    writeInput(input, Readable.from(group.stdin), events.onInputError)
  return { kill }
}

async function consumeOutput(
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

/** Writes a stream to the program and reports errors of the stream. Stops reading when the program ends. */
function writeInput(stream: Writable, content: Readable, onInputError: (error: Error) => void): void {
  stream.on('error', () => {}).once('close', () => content.destroy())
  content.once('error', (error) => {
    stream.destroy()
    onInputError(error)
  })
  content.pipe(stream)
}

function parseExitCode(status: string): number | null {
  const match = /"exit-code":\s*(\d+)/.exec(status)
  return match === null ? null : Number(match[1])
}
