import { readFileSync, readdirSync } from 'node:fs'
import type { MemorySample } from '../records/records.ts'

/**
 * A sample of the process of a part. For Postgres: the memory of all its processes without shared memory, and the
 * average number of open files per process, because the number of processes depends on the connections.
 */
export type PartSample = MemorySample & { openFiles: number }

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const readKilobytes = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 0)

const listChildren = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((text) => text.trim() !== '')
    .map(Number)

const countOpenFiles = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** Samples a process. Returns undefined if it has ended. */
export const samplePart = (part: string, pid: number): PartSample | undefined => {
  const pids = part === 'postgres' ? [pid, ...listChildren(pid)] : [pid]
  const field = part === 'postgres' ? 'RssAnon' : 'VmRSS'
  const rssBytes = pids.reduce((sum, pid) => sum + readKilobytes(pid, field) * 1024, 0)
  if (rssBytes === 0) return undefined
  return {
    part,
    pid,
    at: Date.now(),
    rssBytes,
    openFiles: Math.round(pids.reduce((sum, pid) => sum + countOpenFiles(pid), 0) / pids.length),
  }
}
