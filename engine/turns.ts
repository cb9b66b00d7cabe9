import type { Engine, TurnStart } from './client.ts'

type TurnDeps = {
  engine: Pick<Engine, 'startTurn'>
  notifier: { runWaits(): void }
}

/**
 * Starts an accepted turn that somebody watches. A headless one waits as a row until a worker has a place for it, of which
 * the workers are notified.
 */
export async function startTurn({ engine, notifier }: TurnDeps, runId: string, options: TurnStart): Promise<void> {
  if (options.headless) notifier.runWaits()
  else await engine.startTurn(runId, options)
}
