import type { CreateSandbox, ExecOptions, GlobOptions, SandboxState } from '../index.ts'

/** Options of a command without what only the caller's process has. `grant`: see `NetworkAccess`. */
export type RemoteExecOptions = Pick<ExecOptions, 'cwd' | 'env' | 'timeoutMs' | 'maxOutputBytes' | 'receipt'> & {
  grant?: string | undefined
}

/** Sizes of the files whose contents follow, one after the other. */
export type FileSizes = { path: string; size: number }[]

/**
 * Content with which a missing sandbox is created. `unsent`: it has a repository, whose content follows in a second call if
 * the sandbox does not exist. `bundle` and `files` follow the call.
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
  extend: { expiresAt: number }
  stop: object
}

/** A call to the machine that has a sandbox. */
export type Call = {
  [Op in keyof Calls]: {
    op: Op
    machine: string
    state: Pick<SandboxState, 'type' | 'sandboxName' | 'epoch'>
    args: Calls[Op]
  }
}[keyof Calls]

export type CallArgs<Op extends Call['op']> = Calls[Op]

/** A sandbox as its machine describes it. */
export type RemoteDescription = { state: SandboxState; hasBackground: boolean }

/** The sandbox must be created with the content of its repository. `known`: the commit of its snapshot. */
export type AbsentSandbox = { isAbsent: true; known?: { branch: string; commit: string } }
