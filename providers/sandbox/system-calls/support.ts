import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { bareEnvironment } from '../../bare-environment.ts'
import { systemCallFilter } from './filter.ts'
import { architectures, type Processor } from './numbers.ts'

/** System call filter, or the reason why sandboxes on this machine run without one. */
export type SystemCalls = { filter: Buffer } | { filter: undefined; reason: string }

/**
 * Returns the filter. Sandboxes run without a filter only if the kernel or the processor does not support it. All other errors
 * occur when a sandbox starts.
 */
export async function findSystemCalls(processor: string = process.arch): Promise<SystemCalls> {
  if (!isSupported(processor)) return { filter: undefined, reason: `no list of system calls for ${processor}` }
  const filter = systemCallFilter(processor)
  return (await readFilterErrors(filter)).includes('PR_SET_SECCOMP')
    ? { filter: undefined, reason: 'this kernel does not support seccomp' }
    : { filter }
}

function isSupported(processor: string): processor is Processor {
  return processor in architectures
}

/** Runs an empty program under the filter. Returns the error output of bubblewrap; empty on success. */
function readFilterErrors(filter: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('bwrap', ['--ro-bind', '/', '/', '--seccomp', '3', '--', 'true'], {
      cwd: '/',
      env: bareEnvironment,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    const input = child.stdio[3] as Writable
    input.on('error', () => {})
    input.end(filter)
    let errorOutput = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (errorOutput += chunk))
    child.once('error', () => resolve(''))
    child.once('close', () => resolve(errorOutput))
  })
}
