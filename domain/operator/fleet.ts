import { hashText } from '../fields/hash.ts'

/**
 * A process without a report for this time is not a member of the fleet. A machine without a report for this time is lost if
 * none of its processes holds its lock. Two reports are missed in this time.
 */
export const silentAfterSeconds = 15

/** Time after the detection of a crash from which the sandboxes of the machine are restored on other machines. */
export const crashedAfterSeconds = 1

/** Minimum age of a Postgres session with a lock for free locks of other machines to show that their processes died. */
export const connectedAfterSeconds = 5

/** A live process of the fleet. */
export type Member = {
  processId: number
  part: 'api' | 'worker'
  machineId: string
  /** Number of turns that a worker can begin before Temporal schedules them; 0 for other processes. */
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
  const freeWorkers = workers.filter(({ freeHeadStarts }) => freeHeadStarts > 0)
  const localWorkers = freeWorkers.filter((worker) => worker.machineId === machineId)
  const rankedWorkers = (localWorkers.length > 0 ? localWorkers : freeWorkers)
    .map(({ processId }) => ({ processId, rank: hashText(`${runId} ${processId}`) }))
    .toSorted((a, b) => b.rank - a.rank)
  return rankedWorkers[0]?.processId
}

/**
 * Returns the share of a fleet limit that applies in one of `members` processes, at least 1. A limit of 0 means no limit
 * and stays 0.
 */
export function divideLimit(limit: number, members: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.ceil(limit / Math.max(1, members)))
}
