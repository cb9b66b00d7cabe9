import type { Db } from '../../db/postgres/client.ts'
import type { Listener } from '../../db/postgres/channels/listener.ts'
import { stopsChannel } from '../../db/postgres/channels/names.ts'
import { StaleWriterError } from '../../db/log/writer.ts'
import { listStopped } from '../../db/turns/record-stop.ts'

/**
 * Aborts the activities of this process when their run is stopped. A notification arrives earlier than the engine's
 * cancellation, which heartbeats deliver.
 */
export type StopSignals = {
  /** Aborts with a `StaleWriterError` when a stop of the run is announced. Call `release` when the activity has ended. */
  watch(runId: string): { signal: AbortSignal; release(): void }
}

export async function listenForStops(listener: Pick<Listener, 'listen'>, db: Db): Promise<StopSignals> {
  const watchers = new Map<string, Set<AbortController>>()
  const stop = (runId: string): void => {
    for (const controller of watchers.get(runId) ?? []) controller.abort(new StaleWriterError('the run was stopped'))
  }
  // Notifications are lost while the connection is down. If this query fails, the sweeper repeats the stop.
  const catchUp = async (): Promise<void> => {
    if (watchers.size > 0) for (const runId of await listStopped(db, [...watchers.keys()])) stop(runId)
  }
  await listener.listen(stopsChannel, { onPayload: stop, onListen: () => void catchUp().catch(() => {}) })
  return {
    watch: (runId) => {
      const controller = new AbortController()
      const controllers = watchers.get(runId) ?? new Set()
      watchers.set(runId, controllers.add(controller))
      return {
        signal: controller.signal,
        release: () => {
          controllers.delete(controller)
          if (controllers.size === 0 && watchers.get(runId) === controllers) watchers.delete(runId)
        },
      }
    },
  }
}
