import { Context } from '@temporalio/activity'
import { endJobWith } from '../../db/jobs/ending.ts'
import { beginJobRow, readJob } from '../../db/jobs/jobs.ts'
import { endBatch } from '../../db/scrapers/ending.ts'
import {
  announceProfile,
  beginBatch,
  failProfile,
  listProfileRuns,
  listWaitingBatches,
  readProfileRun,
  recordProviderRun,
  withdrawProfile,
  type ProfileRun,
} from '../../db/scrapers/runs.ts'
import { storeProfile } from '../../db/scrapers/store.ts'
import { resolveDepth } from '../../domain/scrapers/platforms.ts'
import type { ScrapeError } from '../../domain/scrapers/runs.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import { abortRuns, createScraperSteps, type RequiredRun, type ScraperDeps } from '../jobs/scraper-runs.ts'
import { readResults } from './results.ts'

export type ScrapeDeps = ScraperDeps & {
  /** Signals a batch of profiles that a slot may be free. Does not wait; the signal may be lost. */
  wakeScrape: (batchRunId: string) => void
}

type RunId = { runId: string }
type BatchRunId = { batchRunId: string }

/** Maximum time that a batch waits for slots after its start. */
const maxSlotWaitMs = 6 * 60 * 60 * 1000

export function createScrapeActivities(deps: ScrapeDeps) {
  const { db, scraperSlots } = deps
  const steps = createScraperSteps<RunId>(deps, {
    read: async ({ runId }) => toRequiredRun(deps, await readProfileRun(db, runId)),
    announce: async ({ runId }) => {
      const profile = await readProfileRun(db, runId)
      const slot = await db.begin((tx) => announceProfile(tx, profile, scraperSlots))
      if (slot === 'ended' || slot === 'full') return slot
      return { run: toRequiredRun(deps, profile), isNew: slot === 'new', ageMs: profile.ageMs }
    },
    withdraw: ({ runId }) => withdrawProfile(db, runId),
  })
  return {
    startProfileRun: steps.start,
    lookAtProfileRun: steps.poll,

    /**
     * Returns the ids of the profile runs that have not ended, and how long they may wait for a slot; null for a batch
     * that has ended or must be cancelled. Safe to run again.
     */
    beginScrape: async ({ batchRunId }: BatchRunId): Promise<{ runIds: string[]; leftMs: number } | null> => {
      const runIds = await db.begin(async (tx) =>
        (await beginJobRow(tx, batchRunId)) ? beginBatch(tx, batchRunId) : null,
      )
      if (runIds === null) return null
      const { startedAt } = await readJob(db, batchRunId)
      return { runIds, leftMs: maxSlotWaitMs - (Date.now() - (startedAt?.getTime() ?? Date.now())) }
    },

    /**
     * Stores the results of the provider's run in one transaction with the end of the profile. Returns null, or the
     * reason why the results cannot be stored. Safe to run again: a profile ends once.
     */
    storeProfileRun: ({ runId }: RunId): Promise<ScrapeError | null> =>
      withProviderAttempts(async () => {
        const run = await readProfileRun(db, runId)
        if (run.state !== 'EXECUTING' || run.providerRunId === null) return null
        const results = await readResults(deps, run, run.providerRunId)
        if ('error' in results) return results.error
        await db.begin((tx) => storeProfile(tx, run, results))
        await wakeWaitingBatches(deps)
        return null
      }),

    /** Fails a profile and refunds its credits. Safe to run again: a profile ends once and is refunded once. */
    failProfileRun: async ({ runId, error }: RunId & { error: ScrapeError }): Promise<void> => {
      await db.begin(async (tx) => failProfile(tx, await readProfileRun(tx, runId), error))
      await wakeWaitingBatches(deps)
    },

    /** Aborts the provider's run of a profile that has reached its time limit. Safe to run again. */
    abortProfileRun: ({ runId }: RunId): Promise<void> =>
      withHeartbeat(async () => abortRuns(deps, [await readProfileRun(db, runId)], (run) => toRequiredRun(deps, run))),

    /** Aborts the provider's runs of the live profiles. Safe to run again. */
    abortProfileRuns: ({ batchRunId }: BatchRunId): Promise<void> =>
      withHeartbeat(async () => {
        const liveRuns = (await listProfileRuns(db, batchRunId)).filter(
          ({ state, isRequested }) => isRequested && state === 'EXECUTING',
        )
        await abortRuns(deps, liveRuns, (run) => toRequiredRun(deps, run))
      }),

    /** Ends the batch and its background run. Safe to run again: an ended batch never changes. */
    endScrape: async ({ batchRunId, isCancelled }: BatchRunId & { isCancelled: boolean }): Promise<void> => {
      const job = { id: batchRunId, attempt: Context.current().info.attempt }
      await endJobWith(db, job, (tx) => endBatch(tx, batchRunId, { isCancelled }))
      await wakeWaitingBatches(deps)
    },
  }
}

/** Signals the batches that wait for a slot. A lost signal delays a batch until its next attempt. */
async function wakeWaitingBatches({ db, wakeScrape, log }: ScrapeDeps): Promise<void> {
  try {
    for (const batchRunId of await listWaitingBatches(db)) wakeScrape(batchRunId)
  } catch (error) {
    log.warn({ err: error }, 'failed to list batches that wait for a slot')
  }
}

/** Returns the provider run that a profile requires. */
function toRequiredRun({ db }: ScrapeDeps, run: ProfileRun): RequiredRun {
  const { runId, platform, handle, profileUrl, posts, providerRunId } = run
  return {
    key: runId,
    request: { kind: 'profile', platform, handle, url: `https://${profileUrl}`, depth: resolveDepth(platform, posts) },
    providerRunId,
    record: (id) => recordProviderRun(db, runId, id),
  }
}
