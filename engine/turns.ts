import type { Engine, TurnStart } from './client.ts'

type TurnDeps = {
  engine: Pick<Engine, 'startTurn'>
  notifier: { runWaits(): void }
}

/**
 * Starts an accepted interactive turn. For a headless turn, notifies the workers instead: its row waits until a worker has a
 * slot for it.
 */
export async function startTurn({ engine, notifier }: TurnDeps, runId: string, options: TurnStart): Promise<void> {
  if (options.headless) notifier.runWaits()
  else await engine.startTurn(runId, options)
}
