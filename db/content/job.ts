import { cancelledText, contentFailureTexts, contentJob, contentReference } from '../../domain/content/runs.ts'
import type { RenderJob } from '../jobs/kind.ts'
import { failRender } from '../jobs/renders.ts'

export const contentJobKind: RenderJob = {
  name: contentJob,
  cancellable: true,
  vendor: 'renderer',
  table: 'content_runs',
  columns: { state: 'state', error: 'error', key: 'run_id' },
  isLive: (db) => db`state in ('queued', 'running')`,
  isRendering: (db) => db`state = 'running'`,
  rendering: 'running',
  faultName: 'ContentFailed',
  reference: contentReference,
  end: (tx, runId, isCancelled) =>
    failRender(tx, contentJobKind, runId, isCancelled ? cancelledText : contentFailureTexts.rendering),
}
