import { spawn, type ChildProcess } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Allowance } from '../allowance.ts'
import { gitEnvironment, gitSettings, gitWords } from '../git.ts'
import { findFileOwner, type Owner } from './git-user.ts'
import { showCommit } from './show-commit.ts'
import { CodeHostFullError, type GitHttpPort, type GitService, type RepositoryName } from '../index.ts'
import { readPushStart, buildRefusal, type PushStart } from './push-commands.ts'

/** Time limit of a git process, counted from the last received byte of the request body. */
const requestTimeoutMs = 10 * 60_000
const graceMs = 5000

/** A bare repository while one request is served. */
type ServedRepository = {
  directory: string
  /** Called when the response has ended. */
  close(): Promise<void>
  /** Replaces git's output of a push, for a repository whose refs are stored elsewhere. */
  completePush?(output: Readable, push: PushStart): Readable
}

export type GitHttpOptions = {
  /** Undefined if the repository does not exist. */
  open(repository: RepositoryName): Promise<ServedRepository | undefined>
  maxBytes: number
  allowance: Allowance
}

/** Serves git's HTTP protocol with git's own programs: one process per request, on bare repositories only. */
export function createGitHttp(httpOptions: GitHttpOptions): GitHttpPort {
  const pushes = createPushes(httpOptions)

  /** Opens the repository for as long as `answer` needs it. */
  const inRepository = async (
    repository: RepositoryName,
    answer: (served: ServedRepository) => Promise<Readable | undefined>,
  ): Promise<Readable | undefined> => {
    const served = await httpOptions.open(repository)
    if (served === undefined) return undefined
    const close = (): void => void served.close().catch(() => {})
    try {
      const body = await answer(served)
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
      inRepository(repository, async ({ directory }) => {
        const owner = await findFileOwner(directory)
        const options = { more: ['--advertise-refs'], protocol, signal, maxBytes: httpOptions.maxBytes, owner }
        const { child, failed } = start(directory, service, options)
        child.stdin.on('error', () => {})
        child.stdin.end()
        await untilAnswered(child.stdout, failed)
        return child.stdout
      }),
    showCommit: (repository, commit, { maxBytes }) =>
      inRepository(repository, ({ directory }) => showCommit(directory, commit, maxBytes)),
    serve: (repository, { service, protocol, signal, body }) =>
      inRepository(repository, async (served) => {
        const { directory } = served
        const begun = service === 'git-receive-pack' ? await readPushStart(body) : undefined
        const refusal = begun && buildRefusal(begun)
        if (refusal !== undefined) {
          // Discard the rest of the body: a client that is still sending would not read the response.
          body.resume()
          return Readable.from([refusal], { objectMode: false })
        }
        const owner = await findFileOwner(directory)
        const push = begun && (await pushes.begin(directory, `${repository.owner}/${repository.name}`))
        const maxBytes = push?.maxBytes ?? httpOptions.maxBytes
        const { child, failed, stop, timer } = start(directory, service, {
          more: [],
          protocol,
          signal,
          maxBytes,
          owner,
        })
        if (push !== undefined) child.once('close', push.end)
        // If git exits before it has read the body, its exit status has the reason.
        const unread = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])
        // The receiver of a push limits its duration.
        const source = joinBody(begun?.bytes, body, () => timer.refresh())
        const fed = pipeline(source, child.stdin).catch((error: NodeJS.ErrnoException) => {
          if (unread.has(error.code ?? '') && !body.errored) return
          stop()
          child.stdout.destroy(error)
          throw error
        })
        fed.catch(() => {})
        await untilAnswered(child.stdout, Promise.race([failed, fed.then(() => new Promise<never>(() => {}))]))
        if (child.stdout.errored) throw child.stdout.errored
        return begun !== undefined && served.completePush !== undefined
          ? served.completePush(child.stdout, begun)
          : child.stdout
      }),
  }
}

/** Starts a program of git on a bare repository. It ends when the signal aborts or the reader of its output leaves. */
function start(
  directory: string,
  service: GitService,
  options: {
    more: string[]
    protocol: string | undefined
    signal: AbortSignal
    maxBytes: number
    owner: Owner | undefined
  },
) {
  const program = service.replace(/^git-/, '')
  const args = [...gitSettings, ...pushSettings(options.maxBytes), program, '--stateless-rpc', ...options.more]
  const child = spawn('git', gitWords(args, [directory]), {
    ...options.owner,
    cwd: '/',
    env: { ...gitEnvironment, ...(options.protocol !== undefined && { GIT_PROTOCOL: options.protocol }) },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const stop = (): void => end(child)
  const timer = setTimeout(() => child.stdout.destroy(new Error('git took too long')), requestTimeoutMs)
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

/** Tracks the bytes that running pushes of this process may still add to each repository. */
function createPushes({ maxBytes, allowance }: Pick<GitHttpOptions, 'maxBytes' | 'allowance'>) {
  const underWay = new Map<string, number>()
  const add = (name: string, bytes: number): void => {
    const sum = (underWay.get(name) ?? 0) + bytes
    if (sum > 0) underWay.set(name, sum)
    else underWay.delete(name)
  }
  return {
    begin: async (directory: string, name: string): Promise<{ maxBytes: number; end: () => void }> => {
      const left = (await allowance(directory)) - (underWay.get(name) ?? 0)
      // Temporary: other pushes may use less than they reserved.
      if (left <= 0) throw new CodeHostFullError('disk')
      const granted = Math.min(maxBytes, left)
      add(name, granted)
      return { maxBytes: granted, end: () => add(name, -granted) }
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
function untilAnswered(stdout: Readable, failed: Promise<never>): Promise<void> {
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
