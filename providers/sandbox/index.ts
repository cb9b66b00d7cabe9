import type { LostCheckpoint, SandboxPlace } from '../../domain/sandboxes/places.ts'
import type { NetworkAccess } from './network/access.ts'

/** Data for opening a sandbox again. It is stored as `sessions.sandbox_state` and contains no credential. */
export type SandboxState = {
  /** Driver tag, one constant per deployment. */
  type: string
  sandboxName: string
  source?: { repo: string; branch?: string; newBranch?: string; baseCommit?: string }
  /** Epoch milliseconds at which the sandbox stops automatically. Present only while it runs. */
  expiresAt?: number
  /** In a fleet: the machine that has the files. */
  machine?: string
  /** In a fleet: incremented each time the files are lost with their machine. */
  epoch?: number
  /** In a fleet: epoch milliseconds of the latest loss. */
  lostAt?: number
  /** In a fleet: the checkpoint of the files at the latest loss. */
  checkpoint?: LostCheckpoint
}

export type ExecOptions = {
  /** Relative to the working directory. */
  cwd?: string
  env?: Record<string, string>
  /** Standard input. If reading a stream throws, the command is killed and the error is rethrown. */
  stdin?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Time limit, after which the process group is killed. */
  timeoutMs: number
  /** Maximum bytes of output, above which the process group is killed. */
  maxOutputBytes: number
  signal?: AbortSignal
  onOutput?: (chunk: string) => void
  /** Key of this execution. A repeated call returns the receipt of a finished execution instead of running it again. */
  receipt?: string
  /** Network access of the command, if sandboxes have a network. Absent: none. */
  network?: NetworkAccess
}

export type ExecResult = {
  /** Null when the command was killed. */
  exitCode: number | null
  /** Standard output and standard error, in the order of writing. */
  output: string
  truncated: boolean
  timedOut: boolean
  /** True when the command was killed because the sandbox exceeded its disk allowance. */
  diskFull?: boolean
}

/** Background command, which continues after its call until it ends or the sandbox stops. */
type DetachedCommand = {
  id: string
  /** Null while it runs. */
  exitCode: number | null
  /** Output so far. */
  output: string
  /** File inside the sandbox that receives the output. */
  logPath: string
}

export type GlobOptions = {
  /** Absolute path inside the sandbox: a folder to search, or one file. */
  root: string
  /** POSIX extended regular expression that must match the complete path, such as `./below/file`. */
  regex: string
  limit: number
  signal?: AbortSignal
}

/** `path` is absolute inside the sandbox, `size` in bytes. */
export type FoundFile = { path: string; size: number; modifiedAt: Date }

/** Maximum output in a receipt: characters for local sandboxes, bytes elsewhere. */
export const maxReceiptOutput = 200_000

/** A running sandbox. Paths are relative to its working directory unless absolute inside the sandbox. */
export type Sandbox = {
  readonly state: SandboxState
  /** Path of the working directory inside the sandbox. */
  readonly workingDirectory: string
  exec(command: string, options: ExecOptions): Promise<ExecResult>
  /** Starts a background command and watches it for `watchMs`. Absent if the driver has no background commands. */
  execDetached?(
    command: string,
    options: Pick<ExecOptions, 'cwd' | 'env' | 'signal' | 'network'> & { watchMs: number },
  ): Promise<DetachedCommand>
  /** Returns the finished execution of a receipt, if any, with at least the first `maxReceiptOutput` bytes of its output. */
  findReceipt(receipt: string): Promise<ExecResult | undefined>
  /** Removes a receipt that is no longer needed. Succeeds if it does not exist. */
  dropReceipt(receipt: string): Promise<void>
  /** Reads a file. Throws `SandboxFileError` if it does not exist, is not a regular file or exceeds `maxBytes`. */
  readFile(path: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<Uint8Array>
  /** Streams a file of any size. Reading throws when the stream ends early. */
  streamFile(path: string, options: { maxBytes: number; signal?: AbortSignal }): AsyncIterable<Uint8Array>
  /** Writes files, creates their parent folders and replaces existing files. */
  writeFiles(files: { path: string; content: Uint8Array | string }[], options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Finds regular files by their path, most recently changed first. Skips hidden folders and node_modules. Throws
   * `SandboxSearchError`.
   */
  glob(options: GlobOptions): Promise<FoundFile[]>
  /**
   * Creates a snapshot of the working directory and the home folder, which is complete or does not exist. May stop the
   * sandbox; the next command resumes it.
   */
  snapshot(): Promise<Snapshot>
  /**
   * Stores the files that changed since an earlier checkpoint. Absent if the driver takes no checkpoints. Commands may run
   * concurrently; a file that they change is stored with its old or its new content.
   */
  checkpoint?(options: CheckpointOptions): Promise<CheckpointResult>
  /**
   * Sets the time (epoch ms) at which the sandbox stops automatically, and returns the new state.
   * Throws `SandboxStoppedError` when it has stopped, `SandboxGoneError` when it no longer exists.
   */
  extend(expiresAt: number): Promise<SandboxState>
  /** Ends all processes and keeps the files. */
  stop(): Promise<void>
  /** Deletes the sandbox with its files. Succeeds if it does not exist. */
  destroy(): Promise<void>
}

export type CheckpointOptions = {
  /** New id under which the changed files are stored: `pack_` and a ULID. */
  packId: string
  /** Newest pack of the earlier checkpoint. If the driver does not know it, all files are stored. */
  base?: string | undefined
  /** Whether all files are stored if a file has changed since the base. */
  isFull: boolean
  /** Maximum size of all files of the sandbox, in bytes. */
  maxBytes: number
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/**
 * `stored`: a pack was stored. `isFull`: it contains all files and needs no earlier pack. `unchanged`: the files are those of
 * the earlier checkpoint. `tooLarge`: the files exceed the limit, and nothing was stored.
 */
export type CheckpointResult =
  | { outcome: 'stored'; bytes: number; isFull: boolean }
  | { outcome: 'unchanged' | 'tooLarge' }

/** Copy of a sandbox's files from which new sandboxes can start. */
export type Snapshot = { snapshotId: string; sizeBytes: number }

/** The tree of one commit: regular files only. */
type RepositoryFiles = { commit: string; files: { path: string; content: Uint8Array }[] }

export type CreateSandbox = {
  name: string
  timeoutMs: number
  gitIdentity: { name: string; email: string }
  /**
   * Snapshot with which a new sandbox starts. With `repository`, it must be a snapshot of a clone of that repository: the
   * latest commit of the branch is then fetched and checked out. Throws `SnapshotGoneError` if the snapshot does not exist.
   */
  snapshotId?: string
  /** Content of a new sandbox. An existing sandbox of this name is resumed and keeps its files. */
  repository?: {
    cloneUrl: string
    branch: string
    /** With `known`, the bundle contains only the commits after that commit of the branch. */
    bundle: (known?: { branch: string; commit: string }) => AsyncIterable<Uint8Array>
    /** The files of the branch, for a sandbox without git. */
    files: () => Promise<RepositoryFiles>
  }
  /** In a fleet: the place of the sandbox. Files of an older epoch are deleted. */
  placement?: SandboxPlace
  /**
   * In a fleet: the newest checkpoint of a lost sandbox. A new sandbox starts with its packs instead of the repository, unless
   * there is none or one of them is missing.
   */
  checkpoint?: { packs: string[] } & LostCheckpoint
}

/** Driver of the sandboxes in which agents run commands. A sandbox is identified by its name. */
export type SandboxPort = {
  /** Driver tag, for example `local`. */
  readonly type: string
  /** Path of the working directory inside every sandbox. */
  readonly workingDirectory: string
  /** True if a new sandbox starts faster from a snapshot of a clone of its repository. */
  readonly startsFromBases: boolean
  /** Describes the isolation of this driver on this machine in one sentence. */
  probe(): Promise<{ ok: boolean; isolation: string }>
  create(options: CreateSandbox): Promise<Sandbox>
  /** Opens a sandbox. Throws `SandboxGoneError` if the driver has no sandbox of this name. */
  open(state: SandboxState): Promise<Sandbox>
  /**
   * Reads the state of a sandbox without resuming it. `create` can resume a `stopped` sandbox. Throws if the state cannot be
   * determined, for example because a machine does not respond.
   */
  condition(state: SandboxState): Promise<SandboxCondition>
  /** Ends the processes of expired sandboxes. Absent if the provider ends them. */
  endOverdue?(): Promise<void>
  /** Deletes a sandbox with its files. Succeeds if it does not exist. */
  remove(state: SandboxState): Promise<void>
  /** Deletes a snapshot or a pack of a checkpoint. Succeeds if it does not exist. */
  deleteSnapshot(snapshotId: string): Promise<void>
}

/** Driver whose sandboxes are on this machine. */
export type LocalSandboxes = SandboxPort & {
  /** Lists the sandboxes with their epochs, if they have one. */
  list(): Promise<{ name: string; epoch: number | undefined }[]>
  /** Whether its sandboxes have `checkpoint`. */
  takesCheckpoints: boolean
}

type SandboxCondition = 'running' | 'stopped' | 'gone'

export class SandboxFileError extends Error {
  override readonly name = 'SandboxFileError'
  /** The file exists and exceeds the caller's `maxBytes`. */
  readonly isTooLarge: boolean

  constructor(message: string, { isTooLarge = false } = {}) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

/** Thrown for a search that is invalid or did not finish. The message is shown to the agent. */
export class SandboxSearchError extends Error {
  override readonly name = 'SandboxSearchError'
}

export class SandboxGoneError extends Error {
  override readonly name = 'SandboxGoneError'
}

/** Thrown if the sandbox has stopped. `create` with its name resumes it. */
export class SandboxStoppedError extends Error {
  override readonly name = 'SandboxStoppedError'
}

export class SnapshotGoneError extends Error {
  override readonly name = 'SnapshotGoneError'
  /** True if the snapshot is not on this machine and another machine may have it. */
  readonly isLocal: boolean

  constructor(message: string, { isLocal = false } = {}) {
    super(message)
    this.isLocal = isLocal
  }
}

/** Thrown if the sandbox itself fails, not the command in it. A retry may succeed. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** Implements `remove` by opening the sandbox and destroying it. */
export async function removeOpened({ open }: Pick<SandboxPort, 'open'>, state: SandboxState): Promise<void> {
  try {
    await (await open(state)).destroy()
  } catch (error) {
    if (!(error instanceof SandboxGoneError)) throw error
  }
}
