import {
  SandboxError,
  type CheckpointResult,
  type CreateSandbox,
  type ExecOptions,
  type ExecResult,
  type FoundFile,
  type Sandbox,
  type SandboxPort,
  type SandboxState,
} from '../index.ts'
import { decodeTo, toBytes } from '../text.ts'
import type { AbsentSandbox, Call, CallArgs, FileSizes, RemoteContent, RemoteDescription } from './calls.ts'
import type { CallOptions } from './client.ts'

type Target = Pick<SandboxState, 'sandboxName' | 'epoch'>

/** Sends a call to the machine of a sandbox. Yields the bytes of the response and returns the result. */
export type SendCall = (call: Omit<Call, 'machine'>, options: CallOptions) => AsyncGenerator<Buffer, unknown>

/** The sandboxes of another machine. */
export type Remote = Pick<SandboxPort, 'create' | 'open' | 'condition' | 'remove'>

/** Creates the driver for the sandboxes of another machine. `local`: the local driver, whose properties are the same there. */
export function createRemote(
  send: SendCall,
  { type, workingDirectory, startsFromBases }: Pick<SandboxPort, 'type' | 'workingDirectory' | 'startsFromBases'>,
): Remote {
  const stream = <Op extends Call['op']>(
    { sandboxName, epoch }: Target,
    op: Op,
    args: CallArgs<Op>,
    options: CallOptions = {},
  ): AsyncGenerator<Buffer, unknown> => {
    const state = { type, sandboxName, ...(epoch !== undefined && { epoch }) }
    return send({ op, state, args }, options)
  }

  const call = async <Op extends Call['op']>(
    target: Target,
    op: Op,
    args: CallArgs<Op>,
    { onBytes, ...options }: CallOptions & { onBytes?: ((bytes: Buffer) => void) | undefined } = {},
  ): Promise<unknown> => {
    const result = stream(target, op, args, options)
    for (;;) {
      const next = await result.next()
      if (next.done === true) return next.value
      onBytes?.(next.value)
    }
  }

  const sandboxAt = ({ state, hasBackground, hasCheckpoints }: RemoteDescription): Sandbox => {
    return {
      state,
      workingDirectory,
      exec: async (command, options) => {
        const { stdin, onOutput, signal, network, ...serializable } = options
        const args = {
          command,
          options: { ...serializable, grant: network?.grant },
          hasInput: stdin !== undefined,
          streamsOutput: onOutput !== undefined,
        }
        const content = stdin === undefined ? undefined : toContent(stdin)
        const onBytes = onOutput && decodeTo(onOutput)
        return (await call(state, 'exec', args, { content, signal, onBytes })) as ExecResult
      },
      ...(hasBackground && {
        execDetached: async (command, { signal, network, watchMs, ...serializable }) => {
          const args = { command, options: { ...serializable, grant: network?.grant }, watchMs }
          return (await call(state, 'execDetached', args, { signal })) as Awaited<
            ReturnType<NonNullable<Sandbox['execDetached']>>
          >
        },
      }),
      findReceipt: async (receipt) => (await call(state, 'findReceipt', { receipt })) as ExecResult | undefined,
      dropReceipt: async (receipt) => void (await call(state, 'dropReceipt', { receipt })),
      readFile: async (path, { maxBytes, signal }) => {
        const chunks: Buffer[] = []
        await call(state, 'readFile', { path, maxBytes }, { signal, onBytes: (bytes) => chunks.push(bytes) })
        return Buffer.concat(chunks)
      },
      streamFile: (path, { maxBytes, signal }) => stream(state, 'streamFile', { path, maxBytes }, { signal }),
      writeFiles: async (files, options) => {
        const { sizes, content } = packFiles(files)
        await call(state, 'writeFiles', { files: sizes }, { content, signal: options?.signal })
      },
      glob: async ({ signal, ...options }) =>
        ((await call(state, 'glob', { options }, { signal })) as FoundFile[]).map((file) => ({
          ...file,
          modifiedAt: new Date(file.modifiedAt),
        })),
      snapshot: async () => (await call(state, 'snapshot', {})) as Awaited<ReturnType<Sandbox['snapshot']>>,
      ...(hasCheckpoints === true && {
        checkpoint: async ({ signal, ...options }) =>
          (await call(state, 'checkpoint', { options }, { signal })) as CheckpointResult,
      }),
      extend: async (expiresAt) => (await call(state, 'extend', { expiresAt })) as SandboxState,
      stop: async () => void (await call(state, 'stop', {})),
      destroy: async () => void (await call(state, 'remove', {})),
    }
  }

  const create = async ({ repository, ...options }: CreateSandbox): Promise<Sandbox> => {
    const target = { sandboxName: options.name, epoch: options.placement?.epoch }
    const repositoryInfo = repository && { cloneUrl: repository.cloneUrl, branch: repository.branch }
    const createWith = async (content: RemoteContent, bytes?: CallOptions['content']) =>
      (await call(target, 'create', { options, repository: repositoryInfo, content }, { content: bytes })) as
        | RemoteDescription
        | AbsentSandbox
    const sendContent = async (repository: NonNullable<CreateSandbox['repository']>, { known }: AbsentSandbox) => {
      if (startsFromBases) return createWith({ kind: 'bundle' }, repository.bundle(known))
      const { commit, files } = await repository.files()
      const { sizes, content } = packFiles(files)
      return createWith({ kind: 'files', commit, files: sizes }, content)
    }
    // The first call sends no content, because the sandbox usually exists.
    const response = await createWith({ kind: repository === undefined ? 'none' : 'unsent' })
    const created =
      'isAbsent' in response && repository !== undefined ? await sendContent(repository, response) : response
    if ('isAbsent' in created) throw new SandboxError('the machine did not create the sandbox')
    return sandboxAt(created)
  }

  return {
    create,
    open: async (state) => sandboxAt((await call(state, 'open', {})) as RemoteDescription),
    condition: async (state) => (await call(state, 'condition', {})) as Awaited<ReturnType<SandboxPort['condition']>>,
    remove: async (state) => void (await call(state, 'remove', {})),
  }
}

function toContent(stdin: NonNullable<ExecOptions['stdin']>): NonNullable<CallOptions['content']> {
  return typeof stdin === 'string' || stdin instanceof Uint8Array ? [toBytes(stdin)] : stdin
}

function packFiles(files: { path: string; content: Uint8Array | string }[]): {
  sizes: FileSizes
  content: Uint8Array[]
} {
  const content = files.map(({ content }) => toBytes(content))
  return { sizes: files.map(({ path }, index) => ({ path, size: content[index]?.length ?? 0 })), content }
}
