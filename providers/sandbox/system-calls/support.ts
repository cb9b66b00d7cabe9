import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { bareEnvironment } from '../../bare-environment.ts'
import { systemCallFilter } from './filter.ts'
import { architectures, type Processor } from './numbers.ts'

/** The filter's program, or why sandboxes here run without one. */
export type SystemCalls = { filter: Buffer } | { filter: undefined; reason: string }

/** Sandboxes go without the filter only where the kernel says that it takes none: any other fault is left to their start. */
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

/** What bubblewrap says of a program that does nothing under this filter; empty when it ran. */
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
