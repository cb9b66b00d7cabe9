import { spawn, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { Readable, type Writable } from 'node:stream'

export type GroupOptions = {
  /** Written to descriptor 3. */
  args: Buffer
  /** Written to descriptor 5. */
  script?: string
  /** Written to descriptor 6. */
  filter?: Buffer | undefined
  /** Set before the program has started another one, if this process is not held up. */
  niceness?: number
  /** The group is killed when what comes in pieces breaks off. */
  stdin?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Takes the output instead of it being kept; the group is killed when this fails. */
  takeOutput?: (output: Readable) => Promise<void>
  timeoutMs: number
  maxOutputBytes: number
  signal?: AbortSignal
  onBytes?: (bytes: Buffer) => void
}

export type GroupResult = {
  /** From the status descriptor; null when the program inside did not end by itself. */
  exitCode: number | null
  output: Buffer
  truncated: boolean
  timedOut: boolean
  /** What the sandbox program itself had to say; nothing from inside arrives here. */
  complaint: string
}

/** The host's environment stops here: nothing below this process knows it. */
export const bareEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/**
 * Runs a program as its own process group with descriptors 3 (arguments), 4 (status), 5 (script) and 6 (filter). The group
 * is killed when the time, the output cap or the signal says so; an abort rejects with the signal's reason.
 */
export function runGroup(
  argv: string[],
  options: GroupOptions & { onSpawn?: (pid: number, kill: () => void) => void },
): Promise<GroupResult> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) {
      reject(options.signal.reason as Error)
      return
    }
    const [file = '', ...args] = argv
    const child = spawn(file, args, {
      cwd: '/',
      env: bareEnvironment,
      detached: true,
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    })
    // The types know the first three pipes only.
    const pipes = child.stdio as unknown as [
      Writable | null,
      Readable,
      Readable,
      Writable,
      Readable,
      Writable,
      Writable,
    ]
    const chunks: Buffer[] = []
    let size = 0
    let truncated = false
    let timedOut = false
    const kill = (): void => killGroup(child)
    const timer = setTimeout(() => {
      timedOut = true
      kill()
    }, options.timeoutMs)
    options.signal?.addEventListener('abort', kill, { once: true })
    if (child.pid !== undefined && options.niceness !== undefined) lower(child.pid, options.niceness)
    if (child.pid !== undefined) options.onSpawn?.(child.pid, kill)

    pipes[1].on('error', () => {})
    let taken: Promise<unknown> = Promise.resolve()
    const take = async (takeOutput: (output: Readable) => Promise<void>): Promise<void> => {
      try {
        await takeOutput(pipes[1])
      } catch (error) {
        kill()
        pipes[1].destroy()
        throw error
      }
    }
    if (options.takeOutput !== undefined) {
      taken = take(options.takeOutput)
      taken.catch(() => {})
    } else
      pipes[1].on('data', (chunk: Buffer) => {
        if (truncated) return
        const rest = options.maxOutputBytes - size
        truncated = chunk.length > rest
        const kept = truncated ? chunk.subarray(0, rest) : chunk
        size += kept.length
        chunks.push(kept)
        if (kept.length > 0) options.onBytes?.(kept)
        if (truncated) kill()
      })
    const complaint = gather(pipes[2], 4096)
    const status = gather(pipes[4], 4096)
    feed(pipes[3], options.args)
    feed(pipes[5], options.script ?? '')
    feed(pipes[6], options.filter ?? '')
    let broken: Error | undefined
    const { stdin } = options
    if (pipes[0] !== null && stdin !== undefined) {
      if (typeof stdin === 'string' || stdin instanceof Uint8Array) feed(pipes[0], stdin)
      else
        pour(pipes[0], Readable.from(stdin), (error) => {
          broken = error
          kill()
        })
    }

    const settle = (): void => {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', kill)
    }
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('close', () => {
      settle()
      if (options.signal?.aborted) {
        reject(options.signal.reason as Error)
        return
      }
      if (broken !== undefined) {
        reject(broken)
        return
      }
      const exitCode = truncated || timedOut ? null : exitCodeOf(status())
      const result = { exitCode, output: Buffer.concat(chunks), truncated, timedOut, complaint: complaint() }
      taken.then(() => resolve(result), reject)
    })
  })
}

function lower(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended, or takes it by itself.
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function gather(stream: Readable, limit: number): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < limit) text += chunk
  })
  stream.on('error', () => {})
  return () => text.slice(0, limit)
}

function feed(stream: Writable, content: string | Uint8Array): void {
  // A program that does not read its input is not a fault.
  stream.on('error', () => {}).end(content)
}

/** Feeds what comes in pieces; what breaks it off is told. Nobody reads on once the program has ended. */
function pour(stream: Writable, content: Readable, onBroken: (error: Error) => void): void {
  stream.on('error', () => {}).once('close', () => content.destroy())
  content.once('error', (error) => {
    stream.destroy()
    onBroken(error)
  })
  content.pipe(stream)
}

function exitCodeOf(status: string): number | null {
  const found = /"exit-code":\s*(\d+)/.exec(status)
  return found === null ? null : Number(found[1])
}
