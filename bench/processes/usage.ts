import { readFileSync } from 'node:fs'
import { CommandRefusedError } from '../../dev/say.ts'

/** CPU time that all threads of a process have used so far, and its current resident memory. */
export type Usage = { cpuMicroseconds: number; rssBytes: number }

// Unit of the CPU times in /proc, which is the same on every Linux.
const ticksPerSecond = 100

export function readUsage(pid: number): Usage {
  if (process.platform !== 'linux') throw new CommandRefusedError('This benchmark reads /proc, so it needs Linux.')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return { cpuMicroseconds: (ticks * 1e6) / ticksPerSecond, rssBytes: kibibytes * 1024 }
}

/** Returns the CPU time of a process and its running descendants: Postgres has one process per connection. */
export function readTreeCpu(pid: number): number {
  return sumTree(pid, (each) => readUsage(each).cpuMicroseconds)
}

/** Returns the memory of the same processes. Shared memory is divided among the processes that share it. */
export function readTreeMemory(pid: number): number {
  return sumTree(
    pid,
    (each) => Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1]) * 1024,
  )
}

function sumTree(pid: number, readFigure: (pid: number) => number): number {
  try {
    return listChildren(pid).reduce((sum, child) => sum + sumTree(child, readFigure), readFigure(pid))
  } catch (error) {
    // The process has ended in the meantime.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

function listChildren(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
