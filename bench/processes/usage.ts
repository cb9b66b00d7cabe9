import { readFileSync } from 'node:fs'
import { CommandRefusedError } from '../../dev/say.ts'

/** Resources that a process has used so far: CPU time of all its threads, and memory that is in RAM now. */
export type Usage = { cpuMicroseconds: number; rssBytes: number }

// Of the kernel's interface to processes: the same on every Linux.
const ticksPerSecond = 100

export function readUsage(pid: number): Usage {
  if (process.platform !== 'linux') throw new CommandRefusedError('This bench reads /proc: it needs Linux.')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return { cpuMicroseconds: (ticks * 1e6) / ticksPerSecond, rssBytes: kibibytes * 1024 }
}

/** CPU time of a process and of all its running descendants: Postgres has one for each connection. */
export function readTreeCpu(pid: number): number {
  return sumOfTree(pid, (each) => readUsage(each).cpuMicroseconds)
}

/** Memory of the same processes; what several of them share is divided among them. */
export function readTreeMemory(pid: number): number {
  return sumOfTree(
    pid,
    (each) => Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1]) * 1024,
  )
}

function sumOfTree(pid: number, figureOf: (pid: number) => number): number {
  try {
    return listChildren(pid).reduce((sum, child) => sum + sumOfTree(child, figureOf), figureOf(pid))
  } catch (error) {
    // It has ended meanwhile.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

function listChildren(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
