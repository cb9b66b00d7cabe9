import { dropExpiredPartitions, ensurePartitions } from '../../db/log/partitions.ts'
import { deleteOldMachines } from '../../db/operator/machines.ts'
import { deleteOldReports } from '../../db/operator/reports.ts'
import { deleteExpired, ensureAuditPartitions } from '../../db/retention.ts'
import { deleteFramesOfDeletedChats } from '../../db/log/stream.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import type { Sweep } from './runtime/loop.ts'

export const storageSweeps: Sweep[] = [
  { name: 'make partitions', everySeconds: 3600, run: ({ db }) => ensurePartitions(db) },
  { name: 'make partitions of the audit', everySeconds: 3600, run: ({ db }) => ensureAuditPartitions(db) },
  { name: 'delete frames of gone chats', everySeconds: 3600, run: ({ db }) => deleteFramesOfDeletedChats(db) },
  { name: 'delete expired rows', everySeconds: 3600, run: ({ db, settings }) => deleteExpired(db, settings.retention) },
  { name: 'delete reports of lost processes', everySeconds: 3600, run: ({ db }) => deleteOldReports(db) },
  { name: 'delete machines that are gone', everySeconds: 3600, run: ({ db }) => deleteOldMachines(db) },
  { name: 'delete unused files', everySeconds: 3600, everywhere: true, run: deleteUnusedFiles },
  {
    name: 'drop partitions',
    everySeconds: 3600,
    run: ({ db, settings }) => dropExpiredPartitions(db, settings.streamRetentionHours),
  },
]

function deleteUnusedFiles({ blobs, settings }: SweeperDeps): Promise<number> {
  return blobs.sweep(new Date(Date.now() - settings.blobExpiryHours * 60 * 60 * 1000))
}
