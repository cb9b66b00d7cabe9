import type { CheckpointOptions, CreateSandbox, ExecOptions, GlobOptions, SandboxState } from '../index.ts'

/** Serializable options of a command. `grant`: see `NetworkAccess`. */
export type RemoteExecOptions = Pick<ExecOptions, 'cwd' | 'env' | 'timeoutMs' | 'maxOutputBytes' | 'receipt'> & {
  grant?: string | undefined
}

/** Sizes of files, whose concatenated contents follow the call. */
export type FileSizes = { path: string; size: number }[]

/**
 * Content for creating a missing sandbox. `unsent`: the sandbox has a repository, whose content a second call sends if the
 * sandbox does not exist. `bundle` and `files`: the content follows the call.
 */
export type RemoteContent = { kind: 'none' | 'unsent' | 'bundle' } | { kind: 'files'; commit: string; files: FileSizes }

type Calls = {
  create: {
    options: Omit<CreateSandbox, 'repository'>
    repository?: { cloneUrl: string; branch: string } | undefined
    content: RemoteContent
  }
  open: object
  condition: object
  remove: object
  exec: { command: string; options: RemoteExecOptions; hasInput: boolean; streamsOutput: boolean }
  execDetached: {
    command: string
    options: Omit<RemoteExecOptions, 'timeoutMs' | 'maxOutputBytes' | 'receipt'>
    watchMs: number
  }
  findReceipt: { receipt: string }
  dropReceipt: { receipt: string }
  readFile: { path: string; maxBytes: number }
  streamFile: { path: string; maxBytes: number }
  writeFiles: { files: FileSizes }
  glob: { options: Omit<GlobOptions, 'signal'> }
  snapshot: object
  checkpoint: { options: Omit<CheckpointOptions, 'signal'> }
  extend: { expiresAt: number }
  stop: object
}

/** Call to the machine that has the sandbox. */
export type Call = {
  [Op in keyof Calls]: {
    op: Op
    machine: string
    state: Pick<SandboxState, 'type' | 'sandboxName' | 'epoch'>
    args: Calls[Op]
  }
}[keyof Calls]

export type CallArgs<Op extends Call['op']> = Calls[Op]

/** State of a sandbox, as sent by its machine. */
export type RemoteDescription = { state: SandboxState; hasBackground: boolean; hasCheckpoints?: boolean }

/** Result of a call without content for a missing sandbox. The caller must send the content. `known`: the snapshot's commit. */
export type AbsentSandbox = { isAbsent: true; known?: { branch: string; commit: string } }
