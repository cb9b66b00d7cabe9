import { CommandExitError, NotFoundError, Sandbox, SandboxNotFoundError, TimeoutError, type SandboxInfo } from 'e2b'
import { randomBytes } from 'node:crypto'
import { SandboxError, SandboxGoneError, SandboxStoppedError, SnapshotGoneError, type SandboxPort } from '../index.ts'
import { createCloudSandboxes } from './driver.ts'
import type { Cloud, Machine, MachineCommand } from './machine.ts'
import { e2bNetwork, takesHeaders, type AddedHeaders, type CloudReach } from './reach.ts'

export type E2bOptions = {
  apiKey: string
  domain: string
  /** Template of new machines: needs bash, git, GNU coreutils and util-linux. */
  template: string
  /** Overrides the URL that is derived from `domain`. */
  apiUrl?: string | undefined
  sandboxUrl?: string | undefined
  /** Lifetime in milliseconds of a machine that is resumed. */
  lifetimeMs: number
  network: CloudReach
}

const type = 'e2b'
const workingDirectory = '/home/user/workspace'
const requestTimeoutMs = 120_000

// E2B assigns its own ids, so the name is stored as metadata.
const nameKey = 'backlineName'
const orderKey = 'backlineOrder'

const ours = [SandboxError, SandboxGoneError, SandboxStoppedError, SnapshotGoneError]

type ConnectedSandbox = { sandbox: Sandbox; expiresAt: number }

/** State of header injection. E2B refuses it for some customers and templates; it is then not tried again. */
type Adding = { network: CloudReach; isRefused: boolean }

type Settings = { lifetimeMs: number; adding: Adding }

/** Creates sandboxes at E2B with E2B's library: one virtual machine each, which is paused when it stops. */
export function createE2bSandboxes({ template, lifetimeMs, network, ...given }: E2bOptions): SandboxPort {
  const access = {
    apiKey: given.apiKey,
    domain: given.domain,
    debug: false,
    retries: 0,
    requestTimeoutMs,
    ...(given.apiUrl !== undefined && { apiUrl: given.apiUrl }),
    ...(given.sandboxUrl !== undefined && { sandboxUrl: given.sandboxUrl }),
  }

  const settings: Settings = { lifetimeMs, adding: { network, isRefused: false } }

  /** Returns the oldest machine of this name, so that all processes agree on one. */
  const findOldest = async (name: string): Promise<SandboxInfo | undefined> => {
    const pages = Sandbox.list({ ...access, query: { metadata: { [nameKey]: name } } })
    const found: { info: SandboxInfo; order: string }[] = []
    while (pages.hasNext)
      for (const info of await pages.nextItems())
        if (info.metadata[nameKey] === name) found.push({ info, order: `${info.metadata[orderKey]} ${info.sandboxId}` })
    return found.sort((a, b) => (a.order < b.order ? -1 : 1))[0]?.info
  }

  /** Connects to a machine. A running machine keeps its stop time. */
  const connect = async (name: string, { sandboxId, state, endAt }: SandboxInfo): Promise<Machine> => {
    const timeoutMs = state === 'running' ? Math.max(1000, endAt.getTime() - Date.now()) : lifetimeMs
    const sandbox = await Sandbox.connect(sandboxId, { ...access, timeoutMs })
    return createMachine(name, { sandbox, expiresAt: Date.now() + timeoutMs }, settings)
  }

  const find: Cloud['find'] = (name) =>
    guard(async () => {
      const found = await findOldest(name)
      if (found === undefined) return undefined
      try {
        return await connect(name, found)
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
        network: e2bNetwork(network),
      }
      const made = await Sandbox.create(snapshotId ?? template, options).catch(
        (error: Error & { statusCode?: number }) => {
          const absent = error instanceof NotFoundError || error.statusCode === 404
          throw snapshotId !== undefined && absent ? new SnapshotGoneError(`no snapshot ${snapshotId}`) : error
        },
      )
      const first = await findOldest(name)
      if (first === undefined || first.sandboxId === made.sandboxId)
        return createMachine(name, { sandbox: made, expiresAt: Date.now() + timeoutMs }, settings)
      await made.kill()
      return connect(name, first)
    })

  return createCloudSandboxes({
    type,
    workingDirectory,
    isolation: 'E2B: a virtual machine of its own at E2B.',
    find,
    condition: (name) =>
      guard(async () => {
        const found = await findOldest(name)
        if (found === undefined) return 'gone'
        return found.state === 'running' ? 'running' : 'stopped'
      }),
    make,
    deleteSnapshot: (snapshotId) => guard(async () => void (await Sandbox.deleteSnapshot(snapshotId, { ...access }))),
  })
}

function createMachine(name: string, held: ConnectedSandbox, { lifetimeMs, adding }: Settings): Machine {
  const wake = async (): Promise<void> => {
    await held.sandbox.connect({ timeoutMs: lifetimeMs })
    held.expiresAt = Date.now() + lifetimeMs
  }
  const awake = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isAsleep(error)) throw error
      await wake()
      return work()
    }
  }
  return {
    name,
    get expiresAt() {
      return held.expiresAt
    },
    run: (command) => guard(() => awake(() => start(held.sandbox, command)), command.signal),
    ...(takesHeaders(adding.network) && {
      addHeaders: (headers: AddedHeaders, signal?: AbortSignal) =>
        guard(() => awake(() => addHeaders(held.sandbox, adding, headers, signal)), signal),
    }),
    upload: (path, content, signal) =>
      guard(async () => {
        const data = new Blob([content])
        const options = { requestTimeoutMs, useOctetStream: true, ...(signal && { signal }) }
        await awake(() => held.sandbox.files.write(path, data, options))
      }, signal),
    download: (path, signal) =>
      guard(async () => {
        const options = { format: 'stream' as const, requestTimeoutMs, ...(signal && { signal }) }
        return awake(() => held.sandbox.files.read(path, options))
      }, signal),
    extend: (expiresAt) =>
      guard(async () => {
        const { state } = await held.sandbox.getInfo({ requestTimeoutMs })
        if (state !== 'running') throw new SandboxStoppedError('the machine at E2B is paused')
        await held.sandbox.setTimeout(Math.max(1000, expiresAt - Date.now()), { requestTimeoutMs })
        held.expiresAt = expiresAt
      }),
    snapshot: () =>
      guard(async () => {
        const { snapshotId } = await held.sandbox.createSnapshot({ requestTimeoutMs })
        // E2B does not report the size of a snapshot, so the size of the files is used.
        const measure = {
          script: 'du -sb -- "$HOME" 2> /dev/null | cut -f1 >&2',
          args: [],
          timeoutMs: requestTimeoutMs,
        }
        return { snapshotId, sizeBytes: Number.parseInt(await start(held.sandbox, measure), 10) || 0 }
      }),
    stop: () => guard(async () => void (await held.sandbox.pause({ keepMemory: false, requestTimeoutMs }))),
    destroy: () => guard(async () => void (await held.sandbox.kill({ requestTimeoutMs }))),
  }
}

/** The sandbox was not running when the request arrived, so nothing was started. File requests report this as a proxy time-out. */
function isAsleep(error: unknown): boolean {
  return error instanceof SandboxNotFoundError || error instanceof TimeoutError
}

/** Converts the vendor's errors. An abort by the caller is passed on unchanged. */
async function guard<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw signal?.aborted === true ? (signal.reason as Error) : mapped(error)
  }
}

function mapped(error: unknown): Error {
  if (ours.some((kind) => error instanceof kind)) return error as Error
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

async function addHeaders(sandbox: Sandbox, adding: Adding, headers: AddedHeaders, signal?: AbortSignal) {
  if (adding.isRefused) return
  try {
    await sandbox.updateNetwork(e2bNetwork(adding.network, headers), { requestTimeoutMs, ...(signal && { signal }) })
  } catch (error) {
    if (!isRefusal(error)) throw error
    adding.isRefused = true
  }
}

function isRefusal(error: unknown): boolean {
  return (error as { statusCode?: number }).statusCode === 400
}
