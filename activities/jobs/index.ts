import { Context } from '@temporalio/activity'
import { endJob } from '../../db/jobs/ending.ts'
import { beginJobRow, readJob, type JobEnd } from '../../db/jobs/jobs.ts'
import type { DbDeps } from '../deps.ts'

export function createJobActivities({ db }: DbDeps) {
  return {
    /**
     * Sets the run to EXECUTING, unless it has ended or must be cancelled. `files`: number of files to commit. Safe to
     * run again.
     */
    beginBackgroundRun: async ({ runId }: { runId: string }): Promise<{ live: boolean; files: number }> => {
      const live = await db.begin((tx) => beginJobRow(tx, runId))
      const { payload } = await readJob(db, runId)
      const files = (payload as { files?: unknown[] } | null)?.files ?? []
      return { live, files: files.length }
    },

    /** Ends the run in any state. Safe to run again: an ended run never changes. */
    endBackgroundRun: async ({ runId, end }: { runId: string; end: JobEnd }): Promise<void> => {
      await endJob(db, { id: runId, attempt: Context.current().info.attempt }, end)
    },
  }
}
