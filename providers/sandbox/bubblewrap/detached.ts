import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Launch } from './launcher.ts'
import { bareEnvironment } from '../../bare-environment.ts'

/**
 * Starts a process group that outlives this process and watches it for `watchMs`. Returns undefined if the group is still
 * running then, otherwise its exit code (null: ended by a signal).
 */
export function startDetached(
  { argv, args, filter }: Launch,
  script: string | undefined,
  watchMs: number,
  { signal, onEnd }: { signal?: AbortSignal | undefined; onEnd: () => void },
): Promise<{ exitCode: number | null } | undefined> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const [file = '', ...rest] = argv
    const child = spawn(file, rest, {
      cwd: '/',
      env: bareEnvironment,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'ignore', 'pipe', 'pipe'],
    })
    // The types declare only the first three pipes.
    const pipes = child.stdio as unknown as (Readable | Writable | null)[]
    for (const [index, content] of [
      [3, args],
      [5, script ?? ''],
      [6, filter ?? ''],
    ] as const) {
      const pipe = pipes[index] as Writable
      pipe.on('error', () => {})
      pipe.end(content)
    }
    const timer = setTimeout(() => {
      child.removeAllListeners('exit')
      child.unref()
      resolve(undefined)
    }, watchMs)
    // Also called after the watch, while this process runs.
    child.once('close', onEnd)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('exit', (exitCode) => {
      clearTimeout(timer)
      resolve({ exitCode })
    })
  })
}
