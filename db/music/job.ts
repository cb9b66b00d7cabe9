import { musicReference } from '../../domain/music/charge.ts'
import { musicFaults } from '../../domain/music/states.ts'
import type { RenderJob } from '../jobs/kind.ts'
import { failRender } from '../jobs/renders.ts'
import { musicJob } from './accept.ts'

export const musicJobKind: RenderJob = {
  name: musicJob,
  vendor: 'renderer',
  table: 'music_generations',
  columns: { state: 'status', error: 'error_message', key: 'id' },
  isLive: (db) => db`status in ('pending', 'processing')`,
  isRendering: (db) => db`status = 'processing'`,
  rendering: 'processing',
  reference: musicReference,
  end: (tx, { id }) => failRender(tx, musicJobKind, id, musicFaults.rendering),
}
