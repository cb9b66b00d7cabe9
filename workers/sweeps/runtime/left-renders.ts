import type { SweeperDeps } from './deps.ts'

/**
 * Cancels the render of a run that ended without it. Only one attempt, because an unavailable renderer must not delay
 * the refund.
 */
export async function cancelLeftRender(
  { render, log }: Pick<SweeperDeps, 'render' | 'log'>,
  { runId, providerRequestId }: { runId: string; providerRequestId: string | null },
): Promise<void> {
  if (providerRequestId === null) return
  await render
    .cancel(providerRequestId)
    .catch((err: unknown) => log.error({ err, runId, alert: true }, 'a render could not be cancelled and may go on'))
}
