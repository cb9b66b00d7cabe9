import type { Logger } from 'pino'
import { Context } from '@temporalio/activity'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { RenderPort } from '../../providers/render/index.ts'

/** Cancels a render whose result is no longer needed. Logs a permanent failure, and throws any other error. */
export async function cancelRender(
  { render, log }: { render: RenderPort; log: Logger },
  { runId, requestId }: { runId: string; requestId: string },
): Promise<void> {
  try {
    await render.cancel(requestId, { signal: Context.current().cancellationSignal })
  } catch (error) {
    if (!(error instanceof ProviderError) || error.isRetryable) throw error
    log.error({ err: error, runId, alert: true }, 'failed to cancel a render; it may continue')
  }
}
