import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileError } from '../local/file-error.ts'
import { checkFileExit, checkReadableScript, writeScript } from '../local/file-scripts.ts'
import { checkReceipt } from '../local/folder.ts'
import {
  SandboxError,
  SandboxGoneError,
  SandboxStoppedError,
  type ExecOptions,
  type ExecResult,
  type Sandbox,
  type SandboxState,
} from '../index.ts'
import { globWith } from '../search.ts'
import { toBytes } from '../text.ts'
import type { Cloud, Machine } from './machine.ts'
import { cancelScript, detachScript, dropReceiptScript, execScript, receiptScript } from './scripts.ts'
import { uploadPieces } from './upload.ts'

/** Maximum size of an argument. Linux limits one argument to 128 KiB, and quoting may quadruple the size. */
const maxArgumentBytes = 25_000
const filesPerWrite = 100
const fileTimeoutMs = 60_000
/** Time that a vendor may need in addition to the time limit of the command. */
const graceMs = 30_000

type Batch = { args: string[]; contents: Uint8Array[]; length: number }

/** Implements a sandbox with a machine. Limits, receipts and file rules apply in the machine, even if the worker is killed. */
export function machineSandbox(machine: Machine, cloud: Cloud, source: SandboxState['source']): Sandbox {
  const { type, workingDirectory: root } = cloud
  const buildState = (): SandboxState => ({
    type,
    sandboxName: machine.name,
    ...(source && { source }),
    expiresAt: machine.expiresAt,
  })
  return {
    get state() {
      return buildState()
    },
    workingDirectory: root,
    exec: (command, options) => exec(machine, root, command, options),
    execDetached: (command, options) => execDetached(machine, root, command, options),
    findReceipt: (receipt) => findReceipt(machine, receipt),
    dropReceipt: (receipt) => dropReceipt(machine, receipt),
    readFile: (path, options) => buffer(streamFile(machine, root, path, options)),
    streamFile: (path, options) => streamFile(machine, root, path, options),
    writeFiles: (files, options) => writeFiles(machine, root, files, options?.signal),
    glob: (options) => globWith({ exec: (command, limited) => exec(machine, root, command, limited) }, options),
    snapshot: () => machine.snapshot(),
    extend: async (expiresAt) => {
      await machine.extend(expiresAt).catch(async (error: Error) => {
        const isGone = error instanceof SandboxStoppedError && (await cloud.condition(machine.name)) === 'gone'
        throw isGone ? new SandboxGoneError(`no sandbox ${machine.name}`) : error
      })
      return buildState()
    },
    stop: () => machine.stop(),
    destroy: () => machine.destroy(),
  }
}

async function exec(machine: Machine, root: string, command: string, options: ExecOptions): Promise<ExecResult> {
  const { signal, maxOutputBytes, timeoutMs, onOutput } = options
  signal?.throwIfAborted()
  const receipt = options.receipt === undefined ? '' : checkReceipt(options.receipt)
  const id = newId()
  const input = await uploadIfPresent(machine, options.stdin, signal)
  const commandArgs = await buildCommandArgs(machine, command, signal)
  await authenticateAs(machine, options.network, signal)
  const folder = posix.resolve(root, options.cwd ?? '.')
  const limits = [String(timeoutMs / 1000), String(maxOutputBytes)]
  let output = ''
  const collectOutput = (chunk: string): void => {
    output += chunk
    onOutput?.(chunk)
  }
  try {
    const status = await machine.run({
      script: execScript,
      args: [id, folder, ...limits, receipt, input, ...commandArgs, ...formatAssignments(options.env)],
      timeoutMs: timeoutMs + graceMs,
      signal,
      onOutput: collectOutput,
    })
    return toResult(status, output, maxOutputBytes)
  } catch (error) {
    if (signal?.aborted !== true) throw error
    await cancel(machine, id)
    throw signal.reason
  }
}

function newId(): string {
  return `cmd_${randomBytes(6).toString('hex')}`
}

/** Uploads content to a temporary file and returns its path; an empty string without content. */
async function uploadIfPresent(machine: Machine, content: ExecOptions['stdin'], signal?: AbortSignal): Promise<string> {
  if (content === undefined) return ''
  const path = `/tmp/${newId()}`
  if (typeof content === 'string' || content instanceof Uint8Array) await machine.upload(path, toBytes(content), signal)
  else await uploadPieces(machine, path, content, signal)
  return path
}

async function buildCommandArgs(machine: Machine, command: string, signal?: AbortSignal): Promise<[string, string]> {
  return Buffer.byteLength(withoutNul(command)) <= maxArgumentBytes
    ? ['', command]
    : [await uploadIfPresent(machine, Buffer.from(command), signal), '']
}

function withoutNul(command: string): string {
  if (command.includes('\0')) throw new TypeError('NUL in a command')
  return command
}

/** Authenticates requests from the sandbox to the platform as the run of this command, until the run ends. */
async function authenticateAs(machine: Machine, network: ExecOptions['network'], signal?: AbortSignal): Promise<void> {
  if (machine.addHeaders === undefined) return
  for (const service of network?.services ?? []) {
    const added = await service.headers(new URL(service.address).pathname)
    if (added !== undefined) await machine.addHeaders(added, signal)
  }
}

/** Formats variables as `NAME=value` for env(1). */
function formatAssignments(env: Record<string, string> = {}): string[] {
  const pairs = Object.entries(env)
  if (pairs.some(([name]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))) throw new TypeError('invalid variable name')
  return pairs.map(([name, value]) => `${name}=${value}`)
}

function toResult(status: string, output: string, maxBytes: number): ExecResult {
  const match = /(?<!\d)(\d+) ([01]) ([01])\s*$/.exec(status)
  if (match === null) throw new SandboxError('the sandbox ended the command without a status')
  const truncated = match[2] === '1'
  const timedOut = match[3] === '1'
  const exitCode = truncated || timedOut ? null : Number(match[1])
  return { exitCode, output: truncateText(output, maxBytes), truncated, timedOut }
}

/** Truncates text to `maxBytes` at a character boundary. */
function truncateText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= maxBytes ? text : new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
}

/** Kills the command, so that it does not continue after its call has failed. */
function cancel(machine: Machine, id: string): Promise<unknown> {
  return machine.run({ script: cancelScript, args: [id], timeoutMs: graceMs }).catch(() => {})
}

async function execDetached(
  machine: Machine,
  root: string,
  command: string,
  { cwd, env, signal, network, watchMs }: Parameters<NonNullable<Sandbox['execDetached']>>[1],
): ReturnType<NonNullable<Sandbox['execDetached']>> {
  signal?.throwIfAborted()
  const id = newId()
  const commandArgs = await buildCommandArgs(machine, command, signal)
  await authenticateAs(machine, network, signal)
  let output = ''
  const code = await machine.run({
    script: detachScript,
    args: [
      id,
      posix.resolve(root, cwd ?? '.'),
      String(Math.ceil(watchMs / 1000)),
      ...commandArgs,
      ...formatAssignments(env),
    ],
    timeoutMs: watchMs + graceMs,
    signal,
    onOutput: (chunk) => (output += chunk),
  })
  return { id, logPath: `~/.commands/${id}.log`, output, exitCode: code.trim() === '' ? null : Number(code) }
}

async function findReceipt(machine: Machine, receipt: string): Promise<ExecResult | undefined> {
  let output = ''
  const status = await machine.run({
    script: receiptScript,
    args: [checkReceipt(receipt)],
    timeoutMs: fileTimeoutMs,
    onOutput: (chunk) => (output += chunk),
  })
  return status.trim() === '' ? undefined : toResult(status, output, Infinity)
}

async function dropReceipt(machine: Machine, receipt: string): Promise<void> {
  await machine.run({ script: dropReceiptScript, args: [checkReceipt(receipt)], timeoutMs: fileTimeoutMs })
}

async function* streamFile(
  machine: Machine,
  root: string,
  ...[path, { maxBytes, signal }]: Parameters<Sandbox['streamFile']>
): AsyncGenerator<Uint8Array> {
  if (path.includes('\0')) throw fileError('absent')
  await runFileScript(machine, root, checkReadableScript, [path, String(maxBytes)], signal)
  let size = 0
  for await (const chunk of await machine.download(posix.resolve(root, path), signal)) {
    size += chunk.length
    if (size > maxBytes) throw fileError('tooLarge')
    yield chunk
  }
}

/** Runs a file script in the working directory and throws the error of its exit code. */
async function runFileScript(
  machine: Machine,
  root: string,
  body: string,
  args: string[],
  signal?: AbortSignal,
): Promise<void> {
  const script = `( cd -- "$1" && shift || exit 1; ${body} ) < /dev/null > /dev/null 2>&1; echo $? >&2`
  const status = await machine.run({ script, args: [root, ...args], timeoutMs: fileTimeoutMs, signal })
  checkFileExit(Number(status), '')
}

async function writeFiles(
  machine: Machine,
  root: string,
  files: Parameters<Sandbox['writeFiles']>[0],
  signal?: AbortSignal,
): Promise<void> {
  for (const { args, contents } of splitBatches(files)) {
    const path = await uploadIfPresent(machine, Buffer.concat(contents), signal)
    const body = `exec < "$1"; rm -f -- "$1"; shift; ${writeScript}`
    await runFileScript(machine, root, body, [path, ...args], signal)
  }
}

function splitBatches(files: Parameters<Sandbox['writeFiles']>[0]): Batch[] {
  const batches: Batch[] = []
  for (const { path, content } of files) {
    if (path.includes('\0')) throw fileError('refused')
    const bytes = toBytes(content)
    const length = Buffer.byteLength(path) + 20
    let batch = batches.at(-1)
    if (batch === undefined || batch.contents.length === filesPerWrite || batch.length + length > maxArgumentBytes) {
      batch = { args: [], contents: [], length: 0 }
      batches.push(batch)
    }
    batch.args.push(path, String(bytes.length))
    batch.contents.push(bytes)
    batch.length += length
  }
  return batches
}
