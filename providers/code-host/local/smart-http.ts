import { spawn, type ChildProcess } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Allowance } from '../allowance.ts'
import { gitEnvironment, gitSettings, buildGitArguments } from '../git.ts'
import { findFileOwner, type Owner } from './git-user.ts'
import { showCommit } from './show-commit.ts'
import { CodeHostFullError, type GitHttpPort, type GitService, type RepositoryName } from '../index.ts'
import { readPushStart, buildRefusal, type PushStart } from './push-commands.ts'

/** Time limit of a git process, counted from the last received byte of the request body. */
const requestTimeoutMs = 10 * 60_000
const graceMs = 5000

/** Bare repository that is open for one request. */
type OpenRepository = {
  directory: string
  /** Called when the response has ended. */
  close(): Promise<void>
  /** Replaces git's output of a push, for a repository whose refs are stored elsewhere. */
  completePush?(output: Readable, push: PushStart): Readable
}

export type GitHttpOptions = {
  /** Undefined if the repository does not exist. */
  open(repository: RepositoryName): Promise<OpenRepository | undefined>
  maxBytes: number
  allowance: Allowance
}

/** Serves git's HTTP protocol for bare repositories with one git process per request. */
export function createGitHttp(httpOptions: GitHttpOptions): GitHttpPort {
  const pushes = createPushes(httpOptions)

  /** Opens the repository and closes it after the response. */
  const withRepository = async (
    repository: RepositoryName,
    respond: (opened: OpenRepository) => Promise<Readable | undefined>,
  ): Promise<Readable | undefined> => {
    const opened = await httpOptions.open(repository)
    if (opened === undefined) return undefined
    const close = (): void => void opened.close().catch(() => {})
    try {
      const body = await respond(opened)
      if (body === undefined || body.closed) close()
      else body.once('close', close)
      return body
    } catch (error) {
      close()
      throw error
    }
  }

  return {
    advertise: (repository, { service, protocol, signal }) =>
      withRepository(repository, async ({ directory }) => {
        const owner = await findFileOwner(directory)
        const options = {
          extraArguments: ['--advertise-refs'],
          protocol,
          signal,
          maxBytes: httpOptions.maxBytes,
          owner,
        }
        const { child, failed } = start(directory, service, options)
        child.stdin.on('error', () => {})
        child.stdin.end()
        await waitForOutput(child.stdout, failed)
        return child.stdout
      }),
    showCommit: (repository, commit, { maxBytes }) =>
      withRepository(repository, ({ directory }) => showCommit(directory, commit, maxBytes)),
    serve: (repository, { service, protocol, signal, body }) =>
      withRepository(repository, async (opened) => {
        const { directory } = opened
        const pushStart = service === 'git-receive-pack' ? await readPushStart(body) : undefined
        const refusal = pushStart && buildRefusal(pushStart)
        if (refusal !== undefined) {
          // Discard the rest of the body: a client that is still sending would not read the response.
          body.resume()
          return Readable.from([refusal], { objectMode: false })
        }
        const owner = await findFileOwner(directory)
        const push = pushStart && (await pushes.begin(directory, `${repository.owner}/${repository.name}`))
        const maxBytes = push?.maxBytes ?? httpOptions.maxBytes
        const { child, failed, stop, timer } = start(directory, service, {
          extraArguments: [],
          protocol,
          signal,
          maxBytes,
          owner,
        })
        if (push !== undefined) child.once('close', push.end)
        // Writing fails if git exits before it has read the body. Its exit status explains the reason.
        const earlyExitCodes = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])
        // The receiver of a push limits its duration.
        const source = joinBody(pushStart?.bytes, body, () => timer.refresh())
        const bodyWritten = pipeline(source, child.stdin).catch((error: NodeJS.ErrnoException) => {
          if (earlyExitCodes.has(error.code ?? '') && !body.errored) return
          stop()
          child.stdout.destroy(error)
          throw error
        })
        bodyWritten.catch(() => {})
        await waitForOutput(child.stdout, Promise.race([failed, bodyWritten.then(() => new Promise<never>(() => {}))]))
        if (child.stdout.errored) throw child.stdout.errored
        return pushStart !== undefined && opened.completePush !== undefined
          ? opened.completePush(child.stdout, pushStart)
          : child.stdout
      }),
  }
}

/** Starts git on a bare repository. Stops it when the signal aborts or the reader of its output disconnects. */
function start(
  directory: string,
  service: GitService,
  options: {
    extraArguments: string[]
    protocol: string | undefined
    signal: AbortSignal
    maxBytes: number
    owner: Owner | undefined
  },
) {
  const program = service.replace(/^git-/, '')
  const args = [
    ...gitSettings,
    ...pushSettings(options.maxBytes),
    program,
    '--stateless-rpc',
    ...options.extraArguments,
  ]
  const child = spawn('git', buildGitArguments(args, [directory]), {
    ...options.owner,
    cwd: '/',
    env: { ...gitEnvironment, ...(options.protocol !== undefined && { GIT_PROTOCOL: options.protocol }) },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const stop = (): void => terminate(child)
  const timer = setTimeout(() => child.stdout.destroy(new Error('git exceeded its time limit')), requestTimeoutMs)
  options.signal.addEventListener('abort', stop, { once: true })
  if (options.signal.aborted) stop()
  // An unhandled stream error would end the process. The reader handles it, if there is one.
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

/** Tracks the bytes that running pushes of this process may still add to each repository. */
function createPushes({ maxBytes, allowance }: Pick<GitHttpOptions, 'maxBytes' | 'allowance'>) {
  const reservedBytes = new Map<string, number>()
  const add = (name: string, bytes: number): void => {
    const sum = (reservedBytes.get(name) ?? 0) + bytes
    if (sum > 0) reservedBytes.set(name, sum)
    else reservedBytes.delete(name)
  }
  return {
    begin: async (directory: string, name: string): Promise<{ maxBytes: number; end: () => void }> => {
      const remaining = (await allowance(directory)) - (reservedBytes.get(name) ?? 0)
      // The condition is temporary, because other pushes may use less than they reserved.
      if (remaining <= 0) throw new CodeHostFullError('disk')
      const granted = Math.min(maxBytes, remaining)
      add(name, granted)
      return { maxBytes: granted, end: () => add(name, -granted) }
    },
  }
}

/** Sends SIGTERM, so that git removes its lock files, and SIGKILL after the grace period. */
function terminate(child: ChildProcess): void {
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
  const killTimer = setTimeout(() => signalGroup('SIGKILL'), graceMs)
  child.once('exit', () => clearTimeout(killTimer))
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
