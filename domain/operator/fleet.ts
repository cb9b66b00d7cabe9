import { hashText } from '../fields/hash.ts'

/** A live process of the fleet. */
export type Member = {
  processId: number
  part: 'api' | 'worker'
  machineId: string | null
  /** Of a worker: turns that it can begin before Temporal schedules them. */
  freeHeadStarts: number
}

type Worker = Pick<Member, 'processId' | 'machineId' | 'freeHeadStarts'>

/**
 * Returns the worker that begins a turn, by rendezvous hashing of the run over the workers with a free head start; undefined
 * if there is none. Workers of `machineId`, the machine that has the files of the turn, take precedence.
 */
export function chooseWorker(
  runId: string,
  workers: readonly Worker[],
  machineId: string | undefined,
): number | undefined {
  const free = workers.filter(({ freeHeadStarts }) => freeHeadStarts > 0)
  const near = free.filter((worker) => worker.machineId === machineId)
  const ranked = (near.length > 0 ? near : free)
    .map(({ processId }) => ({ processId, rank: hashText(`${runId} ${processId}`) }))
    .toSorted((a, b) => b.rank - a.rank)
  return ranked[0]?.processId
}

/**
 * Returns the part of a limit of the fleet that applies in one of `members` processes, at least 1. 0 is no limit, and has
 * no parts.
 */
export function divideLimit(limit: number, members: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.ceil(limit / Math.max(1, members)))
}
