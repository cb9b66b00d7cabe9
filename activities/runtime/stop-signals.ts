import { listen, stopsChannel } from '../../db/postgres/notify.ts'
import { StaleWriterError } from '../../db/log/writer.ts'

/**
 * Stop notifications of this process: one signal per run that an activity works on. Faster than the engine's
 * cancellation, which is delivered with heartbeats.
 */
export type StopSignals = {
  /** Aborts with a `StaleWriterError` when a stop of the run is announced. Call `release` when the activity is over. */
  watch(runId: string): { signal: AbortSignal; release(): void }
  close(): Promise<void>
}

export async function listenForStops(url: string): Promise<StopSignals> {
  const watched = new Map<string, Set<AbortController>>()
  const channel = await listen(
    url,
    stopsChannel,
    (runId) => {
      for (const controller of watched.get(runId) ?? []) controller.abort(new StaleWriterError('the run was stopped'))
    },
    () => {},
  )
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
    close: () => channel.close(),
  }
}
