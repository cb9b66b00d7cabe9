import { fork, type ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { watchDisk, type DiskLimits } from './local/disk.ts'
import type { Folder } from './local/folder.ts'
import { recordProcess } from './local/host.ts'
import { SandboxError } from './index.ts'
import { forkOptions } from './just-bash-fork.ts'

const childPath = fileURLToPath(new URL('./children/just-bash-archive-child.mjs', import.meta.url))
const timeoutMs = 10 * 60 * 1000

export async function packFiles(folder: Folder, limits: DiskLimits, sink: Writable): Promise<void> {
  await transfer(folder, limits, 'pack', ({ stdout }) => pipeline(stdout, sink, { end: false }))
  sink.end()
}

export function unpackFiles(folder: Folder, limits: DiskLimits, archive: Readable): Promise<void> {
  return transfer(folder, limits, 'unpack', ({ stdin, stdout }) => {
    stdout.resume()
    return pipeline(archive, stdin)
  })
}

/** Runs one request in a process with a heap limit and only the rights of the sandbox. */
async function transfer(
  folder: Folder,
  limits: DiskLimits,
  operation: 'pack' | 'unpack',
  move: (child: { stdin: Writable; stdout: Readable }) => Promise<void>,
): Promise<void> {
  const child = fork(childPath, {
    ...forkOptions(folder, childPath),
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
  })
  const record = child.pid === undefined ? undefined : recordProcess(folder.processes, child.pid)
  const kill = (): void => void child.kill('SIGKILL')
  const timer = setTimeout(kill, timeoutMs)
  const stopWatching = watchDisk([folder.workspace, folder.home], limits, kill)
  const resultReceived = waitForResult(child)
  try {
    child.send({ operation, path: folder.path }, () => {})
    const { stdin, stdout } = child
    if (stdin === null || stdout === null) throw new SandboxError('the snapshot process has no pipes')
    const transferred = move({ stdin, stdout })
    transferred.catch(kill)
    const [result, transferEnd] = await Promise.allSettled([resultReceived, transferred])
    // The error of the child is more specific than the error of its broken pipe.
    if (result.status === 'rejected')
      throw transferEnd.status === 'rejected' && isSandboxError(transferEnd.reason) ? transferEnd.reason : result.reason
    await transferred
  } finally {
    kill()
    clearTimeout(timer)
    stopWatching()
    void record?.then((path) => rm(path, { force: true }))
  }
}

function waitForResult(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let error: string | undefined = 'it ended too early'
    child.once('error', reject)
    child.once('message', (answer: { error?: string }) => {
      error = answer.error
    })
    child.once('close', () => (error === undefined ? resolve() : reject(new SandboxError(`snapshot: ${error}`))))
  })
}

function isSandboxError(error: unknown): boolean {
  return error instanceof SandboxError
}
