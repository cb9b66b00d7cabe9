import type { Snapshot } from '../index.ts'
import type { AddedHeaders } from './reach.ts'

export type MachineCommand = {
  /** Run by bash with `args` as its positional parameters; together under 100 kB. */
  script: string
  args: string[]
  timeoutMs: number
  signal?: AbortSignal | undefined
  onOutput?: (chunk: string) => void
}

/** A virtual machine at a vendor. Faults are `SandboxGone` or `SandboxFault`, whatever the vendor's library throws. */
export type Machine = {
  readonly name: string
  /** Epoch milliseconds of its own stop. */
  readonly expiresAt: number
  /** Resumes the machine when it was stopped; resolves with what the script wrote to its standard error. */
  run(command: MachineCommand): Promise<string>
  /**
   * From now on the vendor's network adds these to what the machine asks of the platform, in place of what was added
   * before. Nothing inside can read them. Absent where the vendor cannot.
   */
  addHeaders?(headers: AddedHeaders, signal?: AbortSignal): Promise<void>
  upload(path: string, content: Uint8Array, signal?: AbortSignal): Promise<void>
  download(path: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** Resumes nothing: throws `SandboxStopped` or `SandboxGone`. */
  extend(expiresAt: number): Promise<void>
  snapshot(): Promise<Snapshot>
  /** Keeps the files, ends every process. */
  stop(): Promise<void>
  /** Absent is success. */
  destroy(): Promise<void>
}

export type Cloud = {
  /** Driver tag. */
  type: string
  workingDirectory: string
  /** One sentence on how the vendor isolates. */
  isolation: string
  /** Resumes the machine when it was stopped. */
  find(name: string): Promise<Machine | undefined>
  /** Changes nothing. */
  condition(name: string): Promise<'running' | 'stopped' | 'gone'>
  /** Joins another maker of the same name. Throws `SnapshotGone`. */
  make(options: { name: string; timeoutMs: number; snapshotId?: string | undefined }): Promise<Machine>
  deleteSnapshot(snapshotId: string): Promise<void>
}
