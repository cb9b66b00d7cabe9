import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { access } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { gitEnvironment, gitSettings } from './git.ts'
import { ownerOf } from './git-user.ts'
import type { Owner } from './git-user.ts'
import type { GitHttpPort, GitService, RepositoryName } from './index.ts'

/** What a push may do: go forward, and touch nothing but branches and tags. */
const pushSettings = (mostBytes: number): string[] =>
  [
    'receive.denyNonFastForwards=true',
    'receive.denyDeleteCurrent=refuse',
    'receive.advertisePushOptions=false',
    `receive.maxInputSize=${mostBytes}`,
    'receive.hideRefs=refs',
    'receive.hideRefs=!refs/heads',
    'receive.hideRefs=!refs/tags',
    'uploadpack.allowFilter=true',
  ].flatMap((setting) => ['-c', setting])

const limitMs = 10 * 60_000
const graceMs = 5000

/** Git takes its locks away when it is asked to end, and not when it is killed: only its last resort is to be killed. */
const end = (child: ChildProcess): void => {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const tell = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
  tell('SIGTERM')
  const killing = setTimeout(() => tell('SIGKILL'), graceMs)
  child.once('exit', () => clearTimeout(killing))
}

/** Resolves when the program has something to say or nothing more. */
const untilAnswered = (stdout: Readable, failed: Promise<never>): Promise<void> =>
  Promise.race([
    failed,
    new Promise<void>((resolve) => {
      stdout.once('readable', resolve)
      stdout.once('end', resolve)
      stdout.once('close', resolve)
    }),
  ])

export type GitHttpOptions = {
  directoryOf: (repository: RepositoryName) => string
  mostBytes: number
}

/** Git's own programs for its protocol over HTTP, one process a request, on bare repositories only. */
export const createGitHttp = ({ directoryOf, mostBytes }: GitHttpOptions): GitHttpPort => {
  const start = (
    repository: RepositoryName,
    service: GitService,
    options: { more: string[]; protocol: string | undefined; signal: AbortSignal; owner: Owner | undefined },
  ) => {
    const program = service.replace(/^git-/, '')
    const args = [...gitSettings, ...pushSettings(mostBytes), program, '--stateless-rpc', ...options.more]
    const child = spawn('git', [...args, directoryOf(repository)], {
      ...options.owner,
      cwd: '/',
      env: { ...gitEnvironment, ...(options.protocol !== undefined && { GIT_PROTOCOL: options.protocol }) },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const stop = (): void => end(child)
    const timer = setTimeout(() => child.stdout.destroy(new Error('git took too long')), limitMs)
    options.signal.addEventListener('abort', stop, { once: true })
    if (options.signal.aborted) stop()
    // Told to whoever reads it, or to nobody.
    child.stdout.on('error', () => {})
    child.stdout.once('close', () => {
      // Whoever reads has left: before the end there is nobody to answer.
      if (!child.stdout.readableEnded) stop()
    })
    child.once('close', () => {
      clearTimeout(timer)
      options.signal.removeEventListener('abort', stop)
    })
    const failed = new Promise<never>((_, reject) => child.once('error', reject))
    failed.catch(() => {})
    return { child, failed, stop }
  }

  const isThere = async (repository: RepositoryName): Promise<boolean> => {
    try {
      await access(directoryOf(repository))
      return true
    } catch {
      return false
    }
  }

  return {
    advertise: async (repository, { service, protocol, signal }) => {
      if (!(await isThere(repository))) return undefined
      const owner = await ownerOf(directoryOf(repository))
      const { child, failed } = start(repository, service, { more: ['--advertise-refs'], protocol, signal, owner })
      child.stdin.on('error', () => {})
      child.stdin.end()
      await untilAnswered(child.stdout, failed)
      return child.stdout
    },
    serve: async (repository, { service, protocol, signal, body }) => {
      if (!(await isThere(repository))) return undefined
      const owner = await ownerOf(directoryOf(repository))
      const { child, failed, stop } = start(repository, service, { more: [], protocol, signal, owner })
      // A program that ends before it has read everything has its reasons, and tells them.
      const unread = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])
      const fed = pipeline(body, child.stdin).catch((error: NodeJS.ErrnoException) => {
        if (unread.has(error.code ?? '') && !body.errored) return
        stop()
        child.stdout.destroy(error)
        throw error
      })
      fed.catch(() => {})
      await untilAnswered(child.stdout, Promise.race([failed, fed.then(() => new Promise<never>(() => {}))]))
      if (child.stdout.errored) throw child.stdout.errored
      return child.stdout
    },
  }
}
