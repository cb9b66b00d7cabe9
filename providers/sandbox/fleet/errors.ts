import {
  SandboxError,
  SandboxFileError,
  SandboxGoneError,
  SandboxSearchError,
  SandboxStoppedError,
  SnapshotGoneError,
} from '../index.ts'

/** An error of the machine that has the sandbox, as sent to the calling machine. */
export type RemoteError = { name: string; message: string; isTooLarge?: boolean }

/** The machine that has the sandbox cannot be reached now. It is not lost: a retry may succeed. */
export class MachineUnreachableError extends SandboxError {}

/** The machine that had the sandbox is recorded as lost, and the files of the sandbox with it. */
export class MachineLostError extends SandboxGoneError {}

const known = [SandboxSearchError, SandboxGoneError, SandboxStoppedError, SnapshotGoneError] as const

export function toRemoteError(error: unknown): RemoteError {
  if (error instanceof SandboxFileError)
    return { name: error.name, message: error.message, isTooLarge: error.isTooLarge }
  if (error instanceof MachineUnreachableError) return { name: 'MachineUnreachableError', message: error.message }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'SandboxError', message: String(error) }
}

/** Returns the error to throw for a remote error. An unexpected error becomes a `SandboxError`. */
export function toError({ name, message, isTooLarge = false }: RemoteError): Error {
  if (name === 'SandboxFileError') return new SandboxFileError(message, { isTooLarge })
  if (name === 'MachineUnreachableError') return new MachineUnreachableError(message)
  if (name === 'TypeError') return new TypeError(message)
  const kind = known.find((kind) => new kind('').name === name)
  return kind === undefined ? new SandboxError(message) : new kind(message)
}
