import { hostname } from 'node:os'

/** What a worker calls itself to the engine: where it runs, and by which lock it lives. */
export function workerIdentity(processId: number): string {
  return `${process.pid}@${hostname()}${lockMark(processId)}`
}

/** The end of the identity of the worker that holds this lock. */
export function lockMark(processId: number): string {
  return ` lock ${processId}`
}
