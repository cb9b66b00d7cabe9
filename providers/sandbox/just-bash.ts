import { fork } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { BlobObjects } from '../blob/index.ts'
import { openDiskSpace, type DiskSpace } from '../disk-space.ts'
import { homeDirectory, workingDirectory } from './bubblewrap/args.ts'
import { watchDisk, type DiskLimits } from './local/disk.ts'
import { fileError, type FileErrorCode } from './local/file-error.ts'
import { dropReceipt, findReceipt, removeFolder, writeReceipt, type Folder } from './local/folder.ts'
import { recordProcess, releaseUid } from './local/host.ts'
import {
  SandboxError,
  type CreateSandbox,
  type ExecOptions,
  type ExecResult,
  type LocalSandboxes,
  type Sandbox,
} from './index.ts'
import { packFiles, unpackFiles } from './just-bash-archive.ts'
import { diskLimits, forkOptions } from './just-bash-fork.ts'
import {
  createFolderDriver,
  endProcesses,
  extendFolder,
  gitEnvironment,
  snapshotFolder,
  toState,
  stopFolder,
} from './local/driver.ts'
import { globWith } from './search.ts'
import { toBytes } from './text.ts'
import { createSnapshotStore } from './local/snapshot-store.ts'
import { createNetworks, type NetworkOptions, type Networks, type OpenNetwork } from './network/open.ts'

const childPath = fileURLToPath(new URL('./children/just-bash-child.mjs', import.meta.url))
const fileTimeoutMs = 30_000
const maxSnapshotBytes = 1024 ** 3

type Request =
  | {
      operation: 'exec'
      command: string
      cwd?: string
      env: Record<string, string>
      stdin?: Uint8Array
      maxOutputBytes: number
      /** Whether the working directory of the process contains the network socket. */
      hasNetwork: boolean
    }
  | { operation: 'read'; path: string; maxBytes: number }
  | { operation: 'write'; files: { path: string; content: Uint8Array }[] }

type ProcessResult = {
  exitCode?: number
  output?: string
  content?: Uint8Array
  fileError?: FileErrorCode
  error?: string
}

type ProcessOutcome = { answer: ProcessResult } | { timedOut: true } | { diskFull: true } | { outOfMemory: true }

/** Resources that the sandboxes of one root share. */
type Host = { networks: Networks; limits: DiskLimits; disk: DiskSpace }

const readFile: (host: Host, folder: Folder, ...args: Parameters<Sandbox['readFile']>) => Promise<Uint8Array> = async (
  { limits },
  folder,
  path,
  { maxBytes, signal },
) => {
  const request: Request = { operation: 'read', path, maxBytes }
  const outcome = await runRequest(folder, request, { timeoutMs: fileTimeoutMs, signal, limits })
  return requireResult(outcome).content ?? new Uint8Array()
}

/** Creates the driver for machines without namespaces. It simulates bash, without programs, git and background commands. */
export async function createJustBashSandboxes(options: {
  root: string
  network?: NetworkOptions | undefined
  limits?: Partial<DiskLimits>
  disk?: DiskSpace | undefined
  snapshotObjects?: BlobObjects | undefined
}): Promise<LocalSandboxes> {
  const { root } = options
  await mkdir(root, { recursive: true, mode: 0o711 })
  const disk = options.disk ?? (await openDiskSpace({ folder: root }))
  const limits = { ...diskLimits, reserveBytes: disk.reserveBytes, ...options.limits }
  const host: Host = { networks: createNetworks(options.network), limits, disk }
  const snapshots = createSnapshotStore(root, {
    format: 'just-bash',
    maxBytes: maxSnapshotBytes,
    disk,
    objects: options.snapshotObjects,
  })
  const sandboxAt = (folder: Folder): Sandbox => ({
    state: toState(folder.meta),
    workingDirectory,
    exec: (command, execOptions) => exec(host, folder, command, execOptions),
    findReceipt: (receipt) => findReceipt(folder, receipt),
    dropReceipt: (receipt) => dropReceipt(folder, receipt),
    readFile: (path, readOptions) => readFile(host, folder, path, readOptions),
    streamFile: async function* (path, readOptions) {
      yield await readFile(host, folder, path, readOptions)
    },
    writeFiles: (files, writeOptions) => writeFiles(host, folder, files, writeOptions?.signal),
    glob: (options) => globWith({ exec: (command, limited) => exec(host, folder, command, limited) }, options),
    snapshot: () => snapshotFolder(root, folder, snapshots, (sink) => packFiles(folder, limits, sink)),
    extend: (expiresAt) => extendFolder(root, folder, expiresAt),
    stop: () => stopFolder(root, folder),
    destroy: async () => {
      await endProcesses(folder)
      await removeFolder(root, folder)
      if (folder.meta.uid !== undefined) await releaseUid(root, folder.meta.uid)
    },
  })
  return createFolderDriver({
    root,
    workingDirectory,
    isolation: 'just-bash: a simulated shell in a capped process, without programs or git.',
    sandboxAt,
    fill: (folder, content) => fill(host, folder, content),
    snapshots,
    unpack: (folder, archive) => unpackFiles(folder, limits, archive),
    disk,
  })
}

function runRequest(
  folder: Folder,
  request: Request,
  {
    timeoutMs,
    signal,
    network,
    limits,
  }: { timeoutMs: number; signal?: AbortSignal | undefined; network?: OpenNetwork | undefined; limits: DiskLimits },
): Promise<ProcessOutcome> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const child = fork(childPath, {
      ...forkOptions(folder, childPath, network && join(folder.path, network.path)),
      env: {},
    })
    const kill = (): void => void child.kill('SIGKILL')
    let timedOut = false
    let diskFull = false
    let answer: ProcessResult | undefined
    const stopWatching = watchDisk([folder.workspace, folder.home, folder.receipts], limits, () => {
      diskFull = true
      kill()
    })
    const timer = setTimeout(() => {
      timedOut = true
      kill()
    }, timeoutMs)
    signal?.addEventListener('abort', kill, { once: true })
    const record = child.pid === undefined ? undefined : recordProcess(folder.processes, child.pid)
    child.once('error', reject)
    child.once('message', (message) => {
      answer = message as ProcessResult
    })
    child.once('close', (code, killedBy) => {
      clearTimeout(timer)
      stopWatching()
      signal?.removeEventListener('abort', kill)
      void record?.then((path) => rm(path, { force: true }))
      if (signal?.aborted === true) reject(signal.reason as Error)
      else if (timedOut) resolve({ timedOut })
      else if (diskFull) resolve({ diskFull })
      else if (answer !== undefined) resolve({ answer })
      // Node.js exits this way when its heap is full.
      else if (killedBy === 'SIGABRT' || code === 134) resolve({ outOfMemory: true })
      else reject(new SandboxError(`the sandbox process ended with ${code ?? killedBy}`))
    })
    const places = { workspace: folder.workspace, home: folder.home, workingDirectory, homeDirectory }
    child.send({ ...request, places }, () => {})
  })
}

function requireResult(outcome: ProcessOutcome): ProcessResult {
  if (!('answer' in outcome)) throw new SandboxError('the sandbox process ended too early')
  const { answer } = outcome
  if (answer.error !== undefined) throw new SandboxError(answer.error)
  if (answer.fileError !== undefined) throw fileError(answer.fileError)
  return answer
}

async function exec(
  { networks, limits, disk }: Host,
  folder: Folder,
  command: string,
  options: ExecOptions,
): Promise<ExecResult> {
  if (options.receipt !== undefined) {
    const earlier = await findReceipt(folder, options.receipt)
    if (earlier !== undefined) return earlier
  }
  const { cwd, env, maxOutputBytes } = options
  const stdin = options.stdin === undefined ? undefined : await readInput(options.stdin)
  const network = await networks.open(folder, options.network)
  const request: Request = {
    operation: 'exec',
    command,
    maxOutputBytes,
    hasNetwork: network !== undefined,
    env: { ...gitEnvironment(folder.meta), ...env },
    ...(cwd !== undefined && { cwd }),
    ...(stdin !== undefined && { stdin }),
  }
  let result: ExecResult
  try {
    result = toResult(await runRequest(folder, request, { ...options, network, limits }), maxOutputBytes)
  } finally {
    await network?.close()
  }
  if (result.output !== '') options.onOutput?.(result.output)
  if (options.receipt !== undefined) await writeReceipt(folder, options.receipt, result, disk)
  return result
}

/** Reads the complete input, because the simulated shell does not stream it. */
async function readInput(input: NonNullable<ExecOptions['stdin']>): Promise<Uint8Array> {
  return typeof input === 'string' || input instanceof Uint8Array ? toBytes(input) : buffer(input)
}

function toResult(outcome: ProcessOutcome, maxOutputBytes: number): ExecResult {
  if ('timedOut' in outcome) return { exitCode: null, output: '', truncated: false, timedOut: true }
  if ('diskFull' in outcome) return { exitCode: null, output: '', truncated: false, timedOut: false, diskFull: true }
  if ('outOfMemory' in outcome)
    return { exitCode: 137, output: 'bash: out of memory\n', truncated: false, timedOut: false }
  const { exitCode = 1, output = '' } = requireResult(outcome)
  return { exitCode, timedOut: false, ...truncateText(output, maxOutputBytes) }
}

/** Truncates text to `maxBytes` at a character boundary. */
function truncateText(text: string, maxBytes: number): { output: string; truncated: boolean } {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return { output: text, truncated: false }
  return { output: new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true }), truncated: true }
}

async function writeFiles(
  { limits }: Host,
  folder: Folder,
  files: Parameters<Sandbox['writeFiles']>[0],
  signal?: AbortSignal,
): Promise<void> {
  const request: Request = {
    operation: 'write',
    files: files.map(({ path, content }) => ({ path, content: toBytes(content) })),
  }
  requireResult(await runRequest(folder, request, { timeoutMs: fileTimeoutMs, signal, limits }))
}

/** Writes the files of the commit without a repository, because this sandbox has no git. */
async function fill(host: Host, folder: Folder, { files }: NonNullable<CreateSandbox['repository']>): Promise<string> {
  const tree = await files()
  await writeFiles(host, folder, tree.files)
  return tree.commit
}
