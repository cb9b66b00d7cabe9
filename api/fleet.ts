import type { Logger } from 'pino'
import { listMembers } from '../db/operator/fleet.ts'
import type { Listener } from '../db/postgres/channels/listener.ts'
import { fleetChannel } from '../db/postgres/channels/names.ts'
import type { Pool } from '../db/postgres/client.ts'
import { chooseWorker, type Member } from '../domain/operator/fleet.ts'

/** The processes of the fleet, as this API process last read them. */
export type Fleet = {
  /** Returns the number of live API processes, including this one, which share the limits of the fleet. */
  countApis: () => number
  /** Chooses the worker that begins a turn: see `chooseWorker`. */
  chooseWorker: (runId: string, machineId: string | undefined) => number | undefined
  update: (others: readonly Member[]) => void
  /** Starts to listen for processes that start or end. */
  listen: () => Promise<void>
}

export function createFleet({
  db,
  listener,
  processId,
  log,
}: {
  db: Pool
  listener: Pick<Listener, 'listen'>
  processId: number
  log: Pick<Logger, 'warn'>
}): Fleet {
  let workers: Member[] = []
  let apis = 1
  const update = (members: readonly Member[]): void => {
    const others = members.filter((member) => member.processId !== processId)
    workers = others.filter(({ part }) => part === 'worker')
    apis = 1 + others.length - workers.length
  }
  const refresh = (): void => {
    listMembers(db).then(update, (err: unknown) => log.warn({ err }, 'failed to list the processes of the fleet'))
  }
  return {
    countApis: () => apis,
    chooseWorker: (runId, machineId) => chooseWorker(runId, workers, machineId),
    update,
    listen: () => listener.listen(fleetChannel, { onPayload: refresh, onListen: refresh }),
  }
}
