import {
  SandboxError,
  SandboxFileError,
  SandboxGoneError,
  SandboxSearchError,
  SandboxStoppedError,
  SnapshotGoneError,
} from '../index.ts'

/** Error of a call, as sent to the calling machine. */
export type RemoteError = { name: string; message: string; isTooLarge?: boolean }

/** Thrown if the machine of the sandbox cannot be reached. The machine is not recorded as lost, so a retry may succeed. */
export class MachineUnreachableError extends SandboxError {}

/** Thrown if the machine of the sandbox is recorded as lost. The files of the sandbox are lost too. */
export class MachineLostError extends SandboxGoneError {}

const knownErrors = [SandboxSearchError, SandboxGoneError, SandboxStoppedError, SnapshotGoneError] as const

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
  const kind = knownErrors.find((kind) => new kind('').name === name)
  return kind === undefined ? new SandboxError(message) : new kind(message)
}
