import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { bareEnvironment } from '../../bare-environment.ts'
import { systemCallFilter } from './filter.ts'
import { architectures, type Processor } from './numbers.ts'

/** System call filter, or the reason why sandboxes on this machine run without one. */
export type SystemCalls = { filter: Buffer } | { filter: undefined; reason: string }

/**
 * Finds the filter. Sandboxes run without a filter only if the kernel does not support it; all other errors appear when a
 * sandbox starts.
 */
export async function findSystemCalls(processor: string = process.arch): Promise<SystemCalls> {
  if (!isKnown(processor)) return { filter: undefined, reason: `no list of them for ${processor}` }
  const filter = systemCallFilter(processor)
  return (await complaintAbout(filter)).includes('PR_SET_SECCOMP')
    ? { filter: undefined, reason: 'this kernel refuses seccomp' }
    : { filter }
}

function isKnown(processor: string): processor is Processor {
  return processor in architectures
}

/** Runs an empty program under the filter. Returns the error output of bubblewrap; empty on success. */
function complaintAbout(filter: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('bwrap', ['--ro-bind', '/', '/', '--seccomp', '3', '--', 'true'], {
      cwd: '/',
      env: bareEnvironment,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    const input = child.stdio[3] as Writable
    input.on('error', () => {})
    input.end(filter)
    let complaint = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (complaint += chunk))
    child.once('error', () => resolve(''))
    child.once('close', () => resolve(complaint))
  })
}
