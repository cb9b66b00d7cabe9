import { spawn, type ChildProcess } from 'node:child_process'
import { access } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Allowance } from '../allowance.ts'
import { gitEnvironment, gitSettings, gitWords } from '../git.ts'
import { findFileOwner, type Owner } from './git-user.ts'
import { showCommit } from './show-commit.ts'
import { CodeHostFullError, type GitHttpPort, type GitService, type RepositoryName } from '../index.ts'
import { readPushStart, buildRefusal } from './push-commands.ts'

/** Time limit of a git process, counted from the last received byte of the request body. */
const processTimeoutMs = 10 * 60_000
const graceMs = 5000

export type GitHttpOptions = {
  resolveDirectory: (repository: RepositoryName) => string
  maxBytes: number
  allowance: Allowance
}

/** Serves git's HTTP protocol with git's own programs: one process per request, on bare repositories only. */
export function createGitHttp(httpOptions: GitHttpOptions): GitHttpPort {
  const { resolveDirectory } = httpOptions
  const pushes = createPushes(httpOptions)

  const start = (
    repository: RepositoryName,
    service: GitService,
    options: {
      extraArgs: string[]
      protocol: string | undefined
      signal: AbortSignal
      maxBytes: number
      owner: Owner | undefined
    },
  ) => {
    const program = service.replace(/^git-/, '')
    const args = [...gitSettings, ...pushSettings(options.maxBytes), program, '--stateless-rpc', ...options.extraArgs]
    const child = spawn('git', gitWords(args, [resolveDirectory(repository)]), {
      ...options.owner,
      cwd: '/',
      env: { ...gitEnvironment, ...(options.protocol !== undefined && { GIT_PROTOCOL: options.protocol }) },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const stop = (): void => end(child)
    const timer = setTimeout(() => child.stdout.destroy(new Error('git took too long')), processTimeoutMs)
    options.signal.addEventListener('abort', stop, { once: true })
    if (options.signal.aborted) stop()
    // The reader handles the error, if there is one.
    child.stdout.on('error', () => {})
    child.stdout.once('close', () => {
      // The reader has disconnected before the end of the response.
      if (!child.stdout.readableEnded) stop()
    })
    child.once('close', () => {
      clearTimeout(timer)
      options.signal.removeEventListener('abort', stop)
    })
    const failed = new Promise<never>((_, reject) => child.once('error', reject))
    failed.catch(() => {})
    return { child, failed, stop, timer }
  }

  const exists = async (repository: RepositoryName): Promise<boolean> => {
    try {
      await access(resolveDirectory(repository))
      return true
    } catch {
      return false
    }
  }

  return {
    advertise: async (repository, { service, protocol, signal }) => {
      if (!(await exists(repository))) return undefined
      const { child, failed } = start(repository, service, {
        extraArgs: ['--advertise-refs'],
        protocol,
        signal,
        maxBytes: httpOptions.maxBytes,
        owner: await findFileOwner(resolveDirectory(repository)),
      })
      child.stdin.on('error', () => {})
      child.stdin.end()
      await waitForOutput(child.stdout, failed)
      return child.stdout
    },
    showCommit: async (repository, commit, { maxBytes }) =>
      (await exists(repository)) ? showCommit(resolveDirectory(repository), commit, maxBytes) : undefined,
    serve: async (repository, { service, protocol, signal, body }) => {
      if (!(await exists(repository))) return undefined
      const pushStart = service === 'git-receive-pack' ? await readPushStart(body) : undefined
      const refusal = pushStart && buildRefusal(pushStart)
      if (refusal !== undefined) {
        // Discard the rest of the body: a client that is still sending would not read the response.
        body.resume()
        return Readable.from([refusal], { objectMode: false })
      }
      const owner = await findFileOwner(resolveDirectory(repository))
      const push = pushStart && (await pushes.begin(resolveDirectory(repository)))
      const maxBytes = push?.maxBytes ?? httpOptions.maxBytes
      const { child, failed, stop, timer } = start(repository, service, {
        extraArgs: [],
        protocol,
        signal,
        maxBytes,
        owner,
      })
      if (push !== undefined) child.once('close', push.end)
      // If git exits before it has read the body, its output explains why.
      const closedPipeCodes = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])
      // The receiver of a push limits its duration.
      const source = joinBody(pushStart?.bytes, body, () => timer.refresh())
      const feeding = pipeline(source, child.stdin).catch((error: NodeJS.ErrnoException) => {
        if (closedPipeCodes.has(error.code ?? '') && !body.errored) return
        stop()
        child.stdout.destroy(error)
        throw error
      })
      feeding.catch(() => {})
      await waitForOutput(child.stdout, Promise.race([failed, feeding.then(() => new Promise<never>(() => {}))]))
      if (child.stdout.errored) throw child.stdout.errored
      return child.stdout
    },
  }
}

/** Tracks the bytes that running pushes of this process can still add to each repository. */
function createPushes({ maxBytes, allowance }: Pick<GitHttpOptions, 'maxBytes' | 'allowance'>) {
  const reservedBytes = new Map<string, number>()
  const add = (directory: string, bytes: number): void => {
    const sum = (reservedBytes.get(directory) ?? 0) + bytes
    if (sum > 0) reservedBytes.set(directory, sum)
    else reservedBytes.delete(directory)
  }
  return {
    begin: async (directory: string): Promise<{ maxBytes: number; end: () => void }> => {
      const remaining = (await allowance(directory)) - (reservedBytes.get(directory) ?? 0)
      // Temporary: other pushes may use less than they reserved.
      if (remaining <= 0) throw new CodeHostFullError('disk')
      const granted = Math.min(maxBytes, remaining)
      add(directory, granted)
      return { maxBytes: granted, end: () => add(directory, -granted) }
    },
  }
}

/** Sends SIGTERM, on which git removes its lock files, and SIGKILL after the grace period. */
function end(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal)
    } catch {
      // The process has already ended.
    }
  }
  signalGroup('SIGTERM')
  const killing = setTimeout(() => signalGroup('SIGKILL'), graceMs)
  child.once('exit', () => clearTimeout(killing))
}

/** Git settings of a push: fast-forward only, branches and tags only. */
function pushSettings(maxBytes: number): string[] {
  return [
    'receive.denyNonFastForwards=true',
    'receive.denyDeleteCurrent=refuse',
    'receive.advertisePushOptions=false',
    `receive.maxInputSize=${maxBytes}`,
    'receive.hideRefs=refs',
    'receive.hideRefs=!refs/heads',
    'receive.hideRefs=!refs/tags',
    'uploadpack.allowFilter=true',
  ].flatMap((setting) => ['-c', setting])
}

/** Resolves when the program has written output or has closed it. */
function waitForOutput(stdout: Readable, failed: Promise<never>): Promise<void> {
  return Promise.race([
    failed,
    new Promise<void>((resolve) => {
      stdout.once('readable', resolve)
      stdout.once('end', resolve)
      stdout.once('close', resolve)
    }),
  ])
}

/** Streams the bytes that were already read, then the rest of the body. Calls `onProgress` for each chunk. */
async function* joinBody(read: Buffer | undefined, rest: Readable, onProgress: () => void): AsyncGenerator<Buffer> {
  if (read !== undefined) yield read
  for await (const piece of rest as AsyncIterable<Buffer>) {
    onProgress()
    yield piece
  }
}
