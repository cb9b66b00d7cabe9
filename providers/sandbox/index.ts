import type { NetworkAccess } from './network/access.ts'

/** What is needed to open a sandbox again; stored as `sessions.sandbox_state`. Holds no credential. */
export type SandboxState = {
  /** Driver tag, one constant per deployment. */
  type: string
  sandboxName: string
  source?: { repo: string; branch?: string; newBranch?: string; baseCommit?: string }
  /** Epoch milliseconds of the sandbox's own stop; present only while it runs. */
  expiresAt?: number
}

export type ExecOptions = {
  /** Relative to the working directory. */
  cwd?: string
  env?: Record<string, string>
  /** In pieces: the command is ended when reading them throws, and that is thrown. */
  stdin?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Milliseconds; the whole process group is killed when it passes. */
  timeoutMs: number
  /** Bytes of output kept; the process group is killed when it passes. */
  maxOutputBytes: number
  signal?: AbortSignal
  onOutput?: (chunk: string) => void
  /** The caller's name for this execution: a finished one is answered from its receipt instead of being run again. */
  receipt?: string
  /** What the command may reach, where sandboxes have a network at all. Absent: nothing. */
  network?: NetworkAccess
}

export type ExecResult = {
  /** Null when the command did not end by itself. */
  exitCode: number | null
  /** Both streams in the order in which they were written. */
  output: string
  truncated: boolean
  timedOut: boolean
  /** The sandbox's disk allowance was passed and the command ended for it. */
  diskFull?: boolean
}

/** A command that goes on after the call that started it, until the sandbox stops. */
type DetachedCommand = {
  id: string
  /** Null while it runs. */
  exitCode: number | null
  /** What it wrote so far. */
  output: string
  /** Where its output goes on, as commands inside see it. */
  logPath: string
}

export type GlobOptions = {
  /** Absolute inside the sandbox: a folder to look below, or one file. */
  root: string
  /** POSIX extended, of the whole path as `./below/file`. */
  regex: string
  limit: number
  signal?: AbortSignal
}

/** `path` is absolute inside the sandbox, `size` in bytes. */
export type FoundFile = { path: string; size: number; modifiedAt: Date }

/** Of the output of a command its receipt keeps no more: characters for local sandboxes, bytes elsewhere. */
export const maxReceiptOutput = 200_000

/** A running sandbox. Paths are relative to its working directory unless absolute inside the sandbox. */
export type Sandbox = {
  readonly state: SandboxState
  /** The working directory as commands inside see it. */
  readonly workingDirectory: string
  exec(command: string, options: ExecOptions): Promise<ExecResult>
  /** Starts a command and watches it for `watchMs`. Absent where the driver has no background. */
  execDetached?(
    command: string,
    options: Pick<ExecOptions, 'cwd' | 'env' | 'signal' | 'network'> & { watchMs: number },
  ): Promise<DetachedCommand>
  /** The finished execution that left this receipt, if any; of its output at least the first `maxReceiptOutput` bytes. */
  findReceipt(receipt: string): Promise<ExecResult | undefined>
  /** Removes a receipt that is no longer needed. An absent one counts as removed. */
  dropReceipt(receipt: string): Promise<void>
  /** Throws `SandboxFileError` when the path is absent, a folder, not a regular file or over `maxBytes`. */
  readFile(path: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<Uint8Array>
  /** The same in pieces, however large the file. Reading it throws where it breaks off. */
  streamFile(path: string, options: { maxBytes: number; signal?: AbortSignal }): AsyncIterable<Uint8Array>
  /** Makes parent folders and replaces files. */
  writeFiles(files: { path: string; content: Uint8Array | string }[], options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Regular files by their path, the latest change first; hidden folders and node_modules are not entered. Throws
   * `SandboxSearchError`.
   */
  glob(options: GlobOptions): Promise<FoundFile[]>
  /**
   * The files of the working directory and of the home, whole or not at all. May stop the sandbox; the next command
   * resumes it.
   */
  snapshot(): Promise<Snapshot>
  /**
   * Moves the sandbox's own stop to this time (epoch ms) and answers with the state that says so.
   * Throws `SandboxStopped` when it has stopped, `SandboxGone` when it does not exist any more.
   */
  extend(expiresAt: number): Promise<SandboxState>
  /** Keeps the files, ends every process. */
  stop(): Promise<void>
  /** Removes everything. Absent is success. */
  destroy(): Promise<void>
}

/** A copy of a sandbox's files that new sandboxes start from, until it is deleted. */
export type Snapshot = { snapshotId: string; sizeBytes: number }

/** The tree of one commit: regular files only. */
type RepositoryFiles = { commit: string; files: { path: string; content: Uint8Array }[] }

export type CreateSandbox = {
  name: string
  timeoutMs: number
  gitIdentity: { name: string; email: string }
  /**
   * What a new sandbox starts from. With `repository` it is one of a clone of that: the branch's latest commit is then
   * fetched and checked out. Throws `SnapshotGone` when the driver does not have it.
   */
  snapshotId?: string
  /** The repository's content on its first start; a sandbox of this name that exists is resumed and not changed. */
  repository?: {
    cloneUrl: string
    branch: string
    /** With `known`, the bundle contains only the commits after that commit of the branch. */
    bundle: (known?: { branch: string; commit: string }) => AsyncIterable<Uint8Array>
    /** The branch's files, for a sandbox without git inside. */
    files: () => Promise<RepositoryFiles>
  }
}

/** Where agents' commands run. A sandbox is found again by its name. */
export type SandboxPort = {
  /** Driver tag, for example `local`. */
  readonly type: string
  /** The working directory of every sandbox, as commands inside see it. */
  readonly workingDirectory: string
  /** Whether a snapshot of a clone spares a new sandbox of the same repository work. */
  readonly startsFromBases: boolean
  /** One sentence on how well this driver isolates on this machine. */
  probe(): Promise<{ ok: boolean; isolation: string }>
  create(options: CreateSandbox): Promise<Sandbox>
  /** Throws `SandboxGone` when the driver knows no sandbox of this name. */
  open(state: SandboxState): Promise<Sandbox>
  /**
   * Reads the state of a sandbox without resuming it. A `stopped` one can be resumed by `create`. Throws if the state cannot
   * be determined now.
   */
  condition(state: SandboxState): Promise<SandboxCondition>
  /** Ends the processes of expired sandboxes. Absent if the provider does this itself. */
  endOverdue?(): Promise<void>
  /** Absent is success. */
  deleteSnapshot(snapshotId: string): Promise<void>
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

/** A search that cannot be made or did not end. Its text is for the agent. */
export class SandboxSearchError extends Error {
  override readonly name = 'SandboxSearchError'
}

export class SandboxGone extends Error {
  override readonly name = 'SandboxGone'
}

/** The sandbox has stopped: it is there, and runs again once it is created anew by its name. */
export class SandboxStopped extends Error {
  override readonly name = 'SandboxStopped'
}

export class SnapshotGone extends Error {
  override readonly name = 'SnapshotGone'
}

/** The sandbox itself failed, not the command in it: trying again may help. */
export class SandboxFault extends Error {
  override readonly name = 'SandboxFault'
}
