import type { Db } from '../../db/postgres/client.ts'
import type { Listener } from '../../db/postgres/channels/listener.ts'
import { stopsChannel } from '../../db/postgres/channels/names.ts'
import { StaleWriterError } from '../../db/log/writer.ts'
import { listStopped } from '../../db/turns/record-stop.ts'

/**
 * Stop notifications of this process, with one signal per run that an activity works on. They are faster than the engine's
 * cancellation, which heartbeats deliver.
 */
export type StopSignals = {
  /** Aborts with a `StaleWriterError` when a stop of the run is announced. Call `release` when the activity is over. */
  watch(runId: string): { signal: AbortSignal; release(): void }
}

export async function listenForStops(listener: Pick<Listener, 'listen'>, db: Db): Promise<StopSignals> {
  const watched = new Map<string, Set<AbortController>>()
  const stop = (runId: string): void => {
    for (const controller of watched.get(runId) ?? []) controller.abort(new StaleWriterError('the run was stopped'))
  }
  // A notification may have been missed while the connection was lost. If this fails too, the sweeper repeats the stop.
  const catchUp = async (): Promise<void> => {
    if (watched.size > 0) for (const runId of await listStopped(db, [...watched.keys()])) stop(runId)
  }
  await listener.listen(stopsChannel, { onPayload: stop, onListen: () => void catchUp().catch(() => {}) })
  return {
    watch: (runId) => {
      const controller = new AbortController()
      const controllers = watched.get(runId) ?? new Set()
      watched.set(runId, controllers.add(controller))
      return {
        signal: controller.signal,
        release: () => {
          controllers.delete(controller)
          if (controllers.size === 0 && watched.get(runId) === controllers) watched.delete(runId)
        },
      }
    },
  }
}
