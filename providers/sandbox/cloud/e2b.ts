import { CommandExitError, NotFoundError, Sandbox, SandboxNotFoundError, TimeoutError, type SandboxInfo } from 'e2b'
import { randomBytes } from 'node:crypto'
import { SandboxError, SandboxGoneError, SandboxStoppedError, SnapshotGoneError, type SandboxPort } from '../index.ts'
import { createCloudSandboxes } from './driver.ts'
import { createGuard, type Cloud, type Machine, type MachineCommand } from './machine.ts'
import { buildE2bNetwork, supportsHeaders, type AddedHeaders, type CloudReach } from './reach.ts'

export type E2bOptions = {
  apiKey: string
  domain: string
  /** Template of new machines. It must contain bash, git, GNU coreutils and util-linux. */
  template: string
  /** Override of the URL that is derived from `domain`. */
  apiUrl?: string | undefined
  sandboxUrl?: string | undefined
  /** Lifetime in milliseconds of a machine that is resumed. */
  lifetimeMs: number
  network: CloudReach
}

const type = 'e2b'
const guard = createGuard(toSandboxError)
const workingDirectory = '/home/user/workspace'
const requestTimeoutMs = 120_000

// E2B assigns its own ids, so the name is stored as metadata.
const nameKey = 'backlineName'
const orderKey = 'backlineOrder'

const sandboxErrors = [SandboxError, SandboxGoneError, SandboxStoppedError, SnapshotGoneError]

type ConnectedSandbox = { sandbox: Sandbox; expiresAt: number }

/** State of header injection, which E2B refuses for some customers and templates. After a refusal, it is not tried again. */
type HeaderInjection = { network: CloudReach; isRefused: boolean }

type Settings = { lifetimeMs: number; injection: HeaderInjection }

/** Creates sandboxes at E2B with E2B's library. Each is a virtual machine, which is paused when it stops. */
export function createE2bSandboxes({ template, lifetimeMs, network, ...connection }: E2bOptions): SandboxPort {
  const access = {
    apiKey: connection.apiKey,
    domain: connection.domain,
    debug: false,
    retries: 0,
    requestTimeoutMs,
    ...(connection.apiUrl !== undefined && { apiUrl: connection.apiUrl }),
    ...(connection.sandboxUrl !== undefined && { sandboxUrl: connection.sandboxUrl }),
  }

  const settings: Settings = { lifetimeMs, injection: { network, isRefused: false } }

  /** Returns the oldest machine of this name, so that all processes agree on one. */
  const findOldest = async (name: string): Promise<SandboxInfo | undefined> => {
    const pages = Sandbox.list({ ...access, query: { metadata: { [nameKey]: name } } })
    const machines: { info: SandboxInfo; order: string }[] = []
    while (pages.hasNext)
      for (const info of await pages.nextItems())
        if (info.metadata[nameKey] === name)
          machines.push({ info, order: `${info.metadata[orderKey]} ${info.sandboxId}` })
    return machines.sort((a, b) => (a.order < b.order ? -1 : 1))[0]?.info
  }

  /** Connects to a machine. A running machine keeps its stop time. */
  const connect = async (name: string, { sandboxId, state, endAt }: SandboxInfo): Promise<Machine> => {
    const timeoutMs = state === 'running' ? Math.max(1000, endAt.getTime() - Date.now()) : lifetimeMs
    const sandbox = await Sandbox.connect(sandboxId, { ...access, timeoutMs })
    return createMachine(name, { sandbox, expiresAt: Date.now() + timeoutMs }, settings)
  }

  const find: Cloud['find'] = (name) =>
    guard(async () => {
      const info = await findOldest(name)
      if (info === undefined) return undefined
      try {
        return await connect(name, info)
      } catch (error) {
        if (error instanceof SandboxNotFoundError) return undefined
        throw error
      }
    })

  const make: Cloud['make'] = ({ name, timeoutMs, snapshotId }) =>
    guard(async () => {
      const order = `${String(Date.now()).padStart(15, '0')}-${randomBytes(4).toString('hex')}`
      const options = {
        ...access,
        timeoutMs,
        metadata: { [nameKey]: name, [orderKey]: order },
        lifecycle: { onTimeout: { action: 'pause' as const, keepMemory: false } },
        network: buildE2bNetwork(network),
      }
      const created = await Sandbox.create(snapshotId ?? template, options).catch(
        (error: Error & { statusCode?: number }) => {
          const isMissing = error instanceof NotFoundError || error.statusCode === 404
          throw snapshotId !== undefined && isMissing ? new SnapshotGoneError(`no snapshot ${snapshotId}`) : error
        },
      )
      const first = await findOldest(name)
      if (first === undefined || first.sandboxId === created.sandboxId)
        return createMachine(name, { sandbox: created, expiresAt: Date.now() + timeoutMs }, settings)
      await created.kill()
      return connect(name, first)
    })

  return createCloudSandboxes({
    type,
    workingDirectory,
    isolation: 'E2B: a separate virtual machine at E2B.',
    find,
    condition: (name) =>
      guard(async () => {
        const info = await findOldest(name)
        if (info === undefined) return 'gone'
        return info.state === 'running' ? 'running' : 'stopped'
      }),
    make,
    deleteSnapshot: (snapshotId) => guard(async () => void (await Sandbox.deleteSnapshot(snapshotId, { ...access }))),
  })
}

function createMachine(name: string, connected: ConnectedSandbox, { lifetimeMs, injection }: Settings): Machine {
  const wake = async (): Promise<void> => {
    await connected.sandbox.connect({ timeoutMs: lifetimeMs })
    connected.expiresAt = Date.now() + lifetimeMs
  }
  const retryAfterWake = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isNotRunning(error)) throw error
      await wake()
      return work()
    }
  }
  return {
    name,
    get expiresAt() {
      return connected.expiresAt
    },
    run: (command) => guard(() => retryAfterWake(() => start(connected.sandbox, command)), command.signal),
    ...(supportsHeaders(injection.network) && {
      addHeaders: (headers: AddedHeaders, signal?: AbortSignal) =>
        guard(() => retryAfterWake(() => addHeaders(connected.sandbox, injection, headers, signal)), signal),
    }),
    upload: (path, content, signal) =>
      guard(async () => {
        const data = new Blob([content])
        const options = { requestTimeoutMs, useOctetStream: true, ...(signal && { signal }) }
        await retryAfterWake(() => connected.sandbox.files.write(path, data, options))
      }, signal),
    download: (path, signal) =>
      guard(async () => {
        const options = { format: 'stream' as const, requestTimeoutMs, ...(signal && { signal }) }
        return retryAfterWake(() => connected.sandbox.files.read(path, options))
      }, signal),
    extend: (expiresAt) =>
      guard(async () => {
        const { state } = await connected.sandbox.getInfo({ requestTimeoutMs })
        if (state !== 'running') throw new SandboxStoppedError('the machine at E2B is paused')
        await connected.sandbox.setTimeout(Math.max(1000, expiresAt - Date.now()), { requestTimeoutMs })
        connected.expiresAt = expiresAt
      }),
    snapshot: () =>
      guard(async () => {
        const { snapshotId } = await connected.sandbox.createSnapshot({ requestTimeoutMs })
        // E2B does not report the size of a snapshot, so the size of the files is used.
        const measure = {
          script: 'du -sb -- "$HOME" 2> /dev/null | cut -f1 >&2',
          args: [],
          timeoutMs: requestTimeoutMs,
        }
        return { snapshotId, sizeBytes: Number.parseInt(await start(connected.sandbox, measure), 10) || 0 }
      }),
    stop: () => guard(async () => void (await connected.sandbox.pause({ keepMemory: false, requestTimeoutMs }))),
    destroy: () => guard(async () => void (await connected.sandbox.kill({ requestTimeoutMs }))),
  }
}

/** True if the sandbox was not running, so that nothing was started. File requests report this as a proxy timeout. */
function isNotRunning(error: unknown): boolean {
  return error instanceof SandboxNotFoundError || error instanceof TimeoutError
}

function toSandboxError(error: unknown): Error {
  if (sandboxErrors.some((kind) => error instanceof kind)) return error as Error
  if (error instanceof SandboxNotFoundError) return new SandboxGoneError('E2B does not know the sandbox')
  return new SandboxError(`E2B: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}`)
}

async function start(sandbox: Sandbox, command: MachineCommand): Promise<string> {
  const { script, args, timeoutMs, signal, onOutput } = command
  try {
    const { stderr } = await sandbox.commands.run(`exec bash -c ${[script, 'bash', ...args].map(quote).join(' ')}`, {
      cwd: '/',
      timeoutMs,
      ...(onOutput && { onStdout: onOutput }),
      ...(signal && { signal }),
    })
    return stderr
  } catch (error) {
    if (error instanceof CommandExitError) return error.stderr
    throw error
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

async function addHeaders(sandbox: Sandbox, injection: HeaderInjection, headers: AddedHeaders, signal?: AbortSignal) {
  if (injection.isRefused) return
  try {
    await sandbox.updateNetwork(buildE2bNetwork(injection.network, headers), {
      requestTimeoutMs,
      ...(signal && { signal }),
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    injection.isRefused = true
  }
}

function isRefusal(error: unknown): boolean {
  return (error as { statusCode?: number }).statusCode === 400
}
