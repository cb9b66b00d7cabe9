import { APIError, Sandbox, Snapshot, StreamError } from '@vercel/sandbox'
import { Writable } from 'node:stream'
import { SandboxError, SandboxGoneError, SandboxStoppedError, SnapshotGoneError, type SandboxPort } from '../index.ts'
import { createCloudSandboxes } from './driver.ts'
import { createGuard, type Cloud, type Machine, type MachineCommand } from './machine.ts'
import { supportsHeaders, buildVercelPolicy, type AddedHeaders, type CloudReach } from './reach.ts'

export type VercelOptions = {
  token: string
  teamId: string
  projectId: string
  /** Base URL of the API, for example `https://vercel.com/api`. */
  baseUrl: string
  network: CloudReach
}

const type = 'vercel'
const guard = createGuard(toSandboxError)
const workingDirectory = '/vercel/sandbox'
/** Base URL of the library, which only a custom `fetch` can change. */
const libraryBase = 'https://vercel.com/api'
const requestTimeoutMs = 120_000
const size = { resources: { vcpus: 4 }, ports: [3000], persistent: true }

/** Error with the name of an abort, because the library retries other network errors, 429 and 5xx even for started commands. */
class NoRetryError extends Error {
  override readonly name = 'AbortError'
}

/** Creates sandboxes at Vercel with Vercel's library. Each is a virtual machine, which keeps its name and files at a stop. */
export function createVercelSandboxes({ baseUrl, network, ...credentials }: VercelOptions): SandboxPort {
  const networkPolicy = buildVercelPolicy(network)
  const access = { ...credentials, fetch: createFetchWithoutRetries(baseUrl) }

  const find: Cloud['find'] = async (name) => {
    try {
      const sandbox = await Sandbox.get({ ...access, name, resume: true, signal: withTimeout(requestTimeoutMs) })
      return createMachine(sandbox, network)
    } catch (error) {
      if (isNotFound(error)) return undefined
      if (!isSnapshotGone(error)) throw toSandboxError(error)
      const stale = await guard(() => Sandbox.get({ ...access, name, resume: false }))
      await destroy(stale)
      return undefined
    }
  }

  const condition: Cloud['condition'] = async (name) => {
    try {
      const { status } = await Sandbox.get({ ...access, name, resume: false, signal: withTimeout(requestTimeoutMs) })
      if (status === 'failed' || status === 'aborted') return 'gone'
      return status === 'running' || status === 'pending' ? 'running' : 'stopped'
    } catch (error) {
      if (isNotFound(error) || isSnapshotGone(error)) return 'gone'
      throw toSandboxError(error)
    }
  }

  const make: Cloud['make'] = async ({ name, timeoutMs, snapshotId }) => {
    const signal = withTimeout(requestTimeoutMs)
    const options = { ...access, ...size, name, networkPolicy, timeout: timeoutMs, signal }
    try {
      const created =
        snapshotId === undefined
          ? await Sandbox.create({ ...options, runtime: 'node22' })
          : await Sandbox.create({ ...options, source: { type: 'snapshot', snapshotId } })
      return createMachine(created, network)
    } catch (error) {
      if (snapshotId !== undefined && (isNotFound(error) || isSnapshotGone(error)))
        throw new SnapshotGoneError(`no snapshot ${snapshotId}`)
      const existing = error instanceof APIError && error.response.status === 409 ? await find(name) : undefined
      if (existing === undefined) throw toSandboxError(error)
      return existing
    }
  }

  const deleteSnapshot = async (snapshotId: string): Promise<void> => {
    try {
      const signal = withTimeout(requestTimeoutMs)
      await (await Snapshot.get({ ...access, snapshotId, signal })).delete({ signal })
    } catch (error) {
      if (!isNotFound(error) && !isSnapshotGone(error)) throw toSandboxError(error)
    }
  }

  return createCloudSandboxes({
    type,
    workingDirectory,
    isolation: 'Vercel Sandbox: a separate virtual machine at Vercel.',
    find,
    condition,
    make,
    deleteSnapshot,
  })
}

function createFetchWithoutRetries(baseUrl: string): typeof globalThis.fetch {
  return async (input, init) => {
    const url = String(input instanceof Request ? input.url : input)
    if (!url.startsWith(`${libraryBase}/`)) throw new NoRetryError('the URL is not a URL of the API')
    const response = await fetch(`${baseUrl}${url.slice(libraryBase.length)}`, init).catch((error: Error) => {
      if (init?.signal?.aborted === true) throw error
      throw new NoRetryError(`no response: ${(error.cause instanceof Error ? error.cause : error).message}`)
    })
    if (response.status !== 429 && response.status < 500) return response
    await response.body?.cancel()
    throw new NoRetryError(`status ${response.status}`)
  }
}

function withTimeout(ms: number, signal?: AbortSignal): AbortSignal {
  return signal === undefined ? AbortSignal.timeout(ms) : AbortSignal.any([signal, AbortSignal.timeout(ms)])
}

function createMachine(sandbox: Sandbox, network: CloudReach): Machine {
  return {
    name: sandbox.name,
    get expiresAt() {
      return sandbox.expiresAt?.getTime() ?? Date.now()
    },
    run: (command) => run(sandbox, command),
    ...(supportsHeaders(network) && {
      addHeaders: (headers: AddedHeaders, signal?: AbortSignal) =>
        guard(async () => {
          // The policy applies only to the current session of the machine.
          await sandbox.updateNetworkPolicy(buildVercelPolicy(network, headers), {
            signal: withTimeout(requestTimeoutMs, signal),
          })
        }, signal),
    }),
    upload: (path, content, signal) =>
      guard(() => sandbox.writeFiles([{ path, content }], { signal: withTimeout(requestTimeoutMs, signal) }), signal),
    download: (path, signal) =>
      guard(async () => {
        const stream = await sandbox.readFile({ path }, { signal: withTimeout(requestTimeoutMs, signal) })
        if (stream === null) throw new SandboxError('the file was deleted while it was read')
        // The type includes strings, which the library returns only with an encoding.
        return stream as unknown as AsyncIterable<Uint8Array>
      }, signal),
    extend: (expiresAt) =>
      guard(async () => {
        const additionalMs = expiresAt - (sandbox.expiresAt?.getTime() ?? Date.now())
        if (additionalMs <= 0) return
        // Extends the session directly, because the method of the sandbox would resume a stopped machine.
        const session = sandbox.currentSession()
        await session.extendTimeout(additionalMs, { signal: withTimeout(requestTimeoutMs) })
      }),
    snapshot: () =>
      guard(async () => {
        const { snapshotId, sizeBytes } = await sandbox.snapshot({
          expiration: 0,
          signal: withTimeout(requestTimeoutMs),
        })
        return { snapshotId, sizeBytes }
      }),
    stop: () =>
      guard(async () => {
        if (sandbox.status === 'running') await sandbox.stop({ signal: withTimeout(requestTimeoutMs) })
      }),
    destroy: () => destroy(sandbox),
  }
}

async function run(sandbox: Sandbox, command: MachineCommand): Promise<string> {
  const { script, args, timeoutMs, signal, onOutput } = command
  let status = ''
  await guard(
    () =>
      sandbox.runCommand({
        cmd: 'bash',
        args: ['-c', script, 'bash', ...args],
        timeoutMs,
        stdout: createSink(onOutput ?? (() => {})),
        stderr: createSink((chunk) => (status += chunk)),
        signal: withTimeout(timeoutMs, signal),
      }),
    signal,
  )
  return status
}

function toSandboxError(error: unknown): Error {
  if (error instanceof SandboxError || error instanceof SandboxGoneError) return error
  if (isNotFound(error) || isSnapshotGone(error)) return new SandboxGoneError('Vercel does not know the sandbox')
  if (isStopped(error)) return new SandboxStoppedError('the machine at Vercel has stopped')
  if (error instanceof APIError)
    return new SandboxError(`Vercel: status ${error.response.status} ${readErrorCode(error)}`)
  if (error instanceof StreamError) return new SandboxError(`Vercel: ${error.code}`)
  return new SandboxError(`Vercel: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}`)
}

function isNotFound(error: unknown): boolean {
  return error instanceof APIError && error.response.status === 404
}

/** True if the snapshot to resume from no longer exists. False if the sandbox itself no longer exists. */
function isSnapshotGone(error: unknown): boolean {
  return error instanceof APIError && error.response.status === 410 && readErrorCode(error) === 'snapshot_not_found'
}

function readErrorCode(error: APIError<unknown>): string {
  return (error.json as { error?: { code?: string } } | undefined)?.error?.code ?? ''
}

/** True if the session of the machine has ended. The machine can be resumed. */
function isStopped(error: unknown): boolean {
  return (
    error instanceof APIError &&
    (error.response.status === 410 || ['sandbox_stopping', 'sandbox_snapshotting'].includes(readErrorCode(error)))
  )
}

function createSink(onChunk: (chunk: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      onChunk(String(chunk))
      done()
    },
  })
}

/** Deletes the machine, its files and the snapshots that the vendor created at its stops. */
function destroy(sandbox: Sandbox): Promise<void> {
  return guard(() => sandbox.delete({ signal: withTimeout(requestTimeoutMs) })).catch((error: Error) => {
    if (!(error instanceof SandboxGoneError)) throw error
  })
}
