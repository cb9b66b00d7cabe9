import type { Snapshot } from '../index.ts'
import type { AddedHeaders } from './reach.ts'

export type MachineCommand = {
  /** Script for bash, with `args` as its positional parameters. Script and arguments together are below 100 kB. */
  script: string
  args: string[]
  timeoutMs: number
  signal?: AbortSignal | undefined
  onOutput?: (chunk: string) => void
}

/** A virtual machine at a vendor. Converts the errors of the vendor's library to `SandboxGoneError` or `SandboxError`. */
export type Machine = {
  readonly name: string
  /** Epoch milliseconds at which the machine stops automatically. */
  readonly expiresAt: number
  /** Runs a script and resolves with its standard error. Resumes a stopped machine. */
  run(command: MachineCommand): Promise<string>
  /**
   * Sets the headers that the vendor's network adds to requests from the machine to the platform. They replace headers that
   * were set earlier. Programs in the machine cannot read them. Absent if the vendor does not support added headers.
   */
  addHeaders?(headers: AddedHeaders, signal?: AbortSignal): Promise<void>
  upload(path: string, content: Uint8Array, signal?: AbortSignal): Promise<void>
  download(path: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** Moves the time of the automatic stop. Throws `SandboxStoppedError` or `SandboxGoneError` instead of resuming a machine. */
  extend(expiresAt: number): Promise<void>
  snapshot(): Promise<Snapshot>
  /** Ends all processes and keeps the files. */
  stop(): Promise<void>
  /** Deletes the machine. Succeeds if it does not exist. */
  destroy(): Promise<void>
}

export type Cloud = {
  /** Driver tag. */
  type: string
  workingDirectory: string
  /** Describes the isolation of the vendor in one sentence. */
  isolation: string
  /** Finds a machine and resumes it if it has stopped. */
  find(name: string): Promise<Machine | undefined>
  /** Reads the state of a machine without resuming it. */
  condition(name: string): Promise<'running' | 'stopped' | 'gone'>
  /** Creates a machine, or waits for a concurrent creation under the same name. Throws `SnapshotGoneError`. */
  make(options: { name: string; timeoutMs: number; snapshotId?: string | undefined }): Promise<Machine>
  deleteSnapshot(snapshotId: string): Promise<void>
}

/** Returns a function that converts the vendor's errors of `work`. It rethrows the abort reason of the caller unchanged. */
export function createGuard(toSandboxError: (error: unknown) => Error) {
  return async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw signal?.aborted === true ? (signal.reason as Error) : toSandboxError(error)
    }
  }
}
