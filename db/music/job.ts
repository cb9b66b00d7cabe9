import { musicReference } from '../../domain/music/charge.ts'
import { musicFailureTexts } from '../../domain/music/states.ts'
import type { RenderJob } from '../jobs/kind.ts'
import { failRender } from '../jobs/renders.ts'

export const musicJobKind: RenderJob = {
  name: 'render-music',
  cancellable: false,
  vendor: 'renderer',
  table: 'music_generations',
  columns: { state: 'status', error: 'error_message', key: 'id' },
  isLive: (db) => db`status in ('pending', 'processing')`,
  isRendering: (db) => db`status = 'processing'`,
  rendering: 'processing',
  faultName: 'MusicFailed',
  reference: musicReference,
  end: (tx, runId) => failRender(tx, musicJobKind, runId, musicFailureTexts.rendering),
}
