import { hostname } from 'node:os'

/** Returns the Temporal identity of a worker: its process, its host, and the lock that it holds while it runs. */
export function workerIdentity(processId: number): string {
  return `${process.pid}@${hostname()}${lockSuffix(processId)}`
}

/** Returns the suffix of the identity of the worker that holds this lock. */
export function lockSuffix(processId: number): string {
  return ` lock ${processId}`
}
