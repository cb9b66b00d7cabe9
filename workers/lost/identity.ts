import { hostname } from 'node:os'

/** Temporal identity of a worker: its host, and the lock that it holds while it lives. */
export function workerIdentity(processId: number): string {
  return `${process.pid}@${hostname()}${lockMark(processId)}`
}

/** Suffix of the identity of the worker that holds this lock. */
export function lockMark(processId: number): string {
  return ` lock ${processId}`
}
