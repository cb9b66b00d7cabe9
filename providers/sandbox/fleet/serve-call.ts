import { buffer } from 'node:stream/consumers'
import { SandboxError, type CreateSandbox, type ExecOptions, type Sandbox, type SandboxPort } from '../index.ts'
import type { NetworkAccess } from '../network/access.ts'
import type { AbsentSandbox, Call, CallArgs, FileSizes, RemoteDescription, RemoteExecOptions } from './calls.ts'

export type ServeOptions = {
  /** The driver of this machine. */
  local: SandboxPort
  /** Returns the network access for a grant. */
  resolveNetwork: (grant: string) => NetworkAccess
}

/** Content and abort signal of a call, and functions that send the bytes of its result. */
export type CallContext = {
  content: AsyncIterable<Uint8Array>
  signal: AbortSignal
  /** Sends bytes without waiting for the caller. */
  push: (bytes: Uint8Array) => void
  /** Sends bytes with backpressure. */
  write: (bytes: Uint8Array) => Promise<void>
}

/** Thrown if creating the sandbox needs content that the call does not contain. */
class ContentUnsentError extends Error {
  readonly known: AbsentSandbox['known']
  constructor(known?: AbsentSandbox['known']) {
    super('the content of the repository was not sent')
    this.known = known
  }
}

/** Executes a call of another machine on a sandbox of this machine. */
export async function serveCall(options: ServeOptions, call: Call, ctx: CallContext): Promise<unknown> {
  const { local } = options
  if (call.op === 'create') return create(local, call.args, ctx)
  if (call.op === 'condition') return local.condition(call.state)
  if (call.op === 'remove') return local.remove(call.state)
  const sandbox = await local.open(call.state)
  const { signal } = ctx
  switch (call.op) {
    case 'open':
      return describe(sandbox)
    case 'exec':
      return exec(options, sandbox, call.args, ctx)
    case 'execDetached':
      return sandbox.execDetached?.(call.args.command, {
        ...restoreOptions(options, call.args.options),
        watchMs: call.args.watchMs,
        signal,
      })
    case 'findReceipt':
      return sandbox.findReceipt(call.args.receipt)
    case 'dropReceipt':
      return sandbox.dropReceipt(call.args.receipt)
    case 'readFile':
      return ctx.write(await sandbox.readFile(call.args.path, { maxBytes: call.args.maxBytes, signal }))
    case 'streamFile':
      for await (const chunk of sandbox.streamFile(call.args.path, { maxBytes: call.args.maxBytes, signal }))
        await ctx.write(chunk)
      return undefined
    case 'writeFiles':
      return sandbox.writeFiles(await readFiles(call.args.files, ctx.content), { signal })
    case 'glob':
      return sandbox.glob({ ...call.args.options, signal })
    case 'snapshot':
      return sandbox.snapshot()
    case 'checkpoint':
      return sandbox.checkpoint?.({ ...call.args.options, signal })
    case 'extend':
      return sandbox.extend(call.args.expiresAt)
    case 'stop':
      return sandbox.stop()
    default:
      throw new SandboxError('the call is unknown to this build')
  }
}

async function create(
  local: SandboxPort,
  { options, repository, content }: CallArgs<'create'>,
  ctx: CallContext,
): Promise<RemoteDescription | AbsentSandbox> {
  const filled: CreateSandbox['repository'] = repository && {
    ...repository,
    bundle: content.kind === 'bundle' ? () => ctx.content : refuseUnsent,
    files:
      content.kind === 'files'
        ? async () => ({ commit: content.commit, files: await readFiles(content.files, ctx.content) })
        : () => refuseUnsent(),
  }
  try {
    return describe(await local.create({ ...options, ...(filled && { repository: filled }) }))
  } catch (error) {
    if (!(error instanceof ContentUnsentError)) throw error
    return { isAbsent: true, ...(error.known && { known: error.known }) }
  }
}

function refuseUnsent(known?: AbsentSandbox['known']): never {
  throw new ContentUnsentError(known)
}

function describe(sandbox: Sandbox): RemoteDescription {
  return { state: sandbox.state, hasBackground: 'execDetached' in sandbox, hasCheckpoints: 'checkpoint' in sandbox }
}

function exec(options: ServeOptions, sandbox: Sandbox, args: CallArgs<'exec'>, ctx: CallContext) {
  const { timeoutMs, maxOutputBytes } = args.options
  const execOptions: ExecOptions = {
    ...restoreOptions(options, args.options),
    timeoutMs,
    maxOutputBytes,
    signal: ctx.signal,
    ...(args.hasInput && { stdin: ctx.content }),
    ...(args.streamsOutput && { onOutput: (chunk) => ctx.push(Buffer.from(chunk)) }),
  }
  return sandbox.exec(args.command, execOptions)
}

function restoreOptions<Options extends Partial<RemoteExecOptions>>(
  { resolveNetwork }: ServeOptions,
  { grant, ...options }: Options,
) {
  return { ...options, ...(grant !== undefined && { network: resolveNetwork(grant) }) }
}

async function readFiles(sizes: FileSizes, content: AsyncIterable<Uint8Array>) {
  const all = await buffer(content)
  let index = 0
  return sizes.map(({ path, size }) => ({ path, content: all.subarray(index, (index += size)) }))
}
