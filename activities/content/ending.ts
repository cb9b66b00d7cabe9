import { Context } from '@temporalio/activity'
import type { ContentPayload } from '../../db/content/accept.ts'
import { contentJobKind } from '../../db/content/job.ts'
import { claimSlot, findContentRun, readContentRun } from '../../db/content/runs.ts'
import { findWaitingPoll } from '../../db/content/agent/threads.ts'
import { endJobBy } from '../../db/jobs/ending.ts'
import { beginBackgroundRun, endBackgroundRun, readJob } from '../../db/jobs/jobs.ts'
import { completeRender, failRender } from '../../db/jobs/renders.ts'
import type { Tx } from '../../db/postgres/client.ts'
import {
  cancelledText,
  contentFaults,
  contentKey,
  type ContentFault,
  type ContentOutput,
  type ContentRun,
} from '../../domain/content/runs.ts'
import { showDoubt } from '../jobs/renders.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { ContentDeps } from './deps.ts'

type RunId = { runId: string }

/** Outcome of a run. */
export type ContentOutcome = { videoKey: string } | { fault: ContentFault } | { cancelled: true }

export function createEndActivities(deps: ContentDeps) {
  const { db, store, content, log } = deps

  const buildOutput = async (
    { wish, imageKey, song, clip, caption }: ContentRun,
    key: string,
  ): Promise<ContentOutput> => {
    const { template, lipsync } = wish
    const [videoSourceUrl, imageUrl] = await Promise.all([store.publicUrl(key), store.publicUrl(imageKey ?? '')])
    const { startSeconds, durationSeconds } = clip ?? { startSeconds: 0, durationSeconds: 0 }
    const { title: songTitle = '', fileName: songFilename = '', track, mood } = song ?? {}
    const known = { clipLyrics: track?.lyrics ?? null, clipMood: mood ?? null }
    const audio = { songTitle, songFilename, startSeconds, durationSeconds, ...known }
    return { videoSourceUrl, imageUrl, captionText: caption ?? '', template, lipsync, audio }
  }

  /** Signals the polling run. A lost signal delays the poll by at most the rest of its interval. */
  const signalPoll = async (runId: string): Promise<void> => {
    try {
      const pollRunId = await findWaitingPoll(db, runId)
      if (pollRunId !== undefined) await content.engine.wakePoll(pollRunId)
    } catch (err) {
      log.warn({ err, runId }, 'the polling run could not be notified that a video has ended')
    }
  }

  const end = async (tx: Tx, run: ContentRun, outcome: ContentOutcome, output: ContentOutput | null) => {
    const { runId } = run
    if ('videoKey' in outcome) {
      const { creditsPerVideo: amount } = (await readJob(tx, runId)).payload as ContentPayload
      await completeRender(tx, contentJobKind, runId, { columns: { video_key: outcome.videoKey }, amount })
      return endBackgroundRun(tx, runId, { status: 'COMPLETED', output })
    }
    const isCancelled = 'cancelled' in outcome
    await failRender(tx, contentJobKind, runId, isCancelled ? cancelledText : contentFaults[outcome.fault])
    await showDoubt(deps, tx, run)
    if (isCancelled) return endBackgroundRun(tx, runId, { status: 'CANCELED' })
    const { error } = await readContentRun(tx, runId)
    return endBackgroundRun(tx, runId, { status: 'FAILED', error: { name: 'ContentFailed', message: error ?? '' } })
  }

  return {
    /**
     * Sets the run to EXECUTING if a slot is free. Returns `full` without a slot and `ended` for a run that must not
     * start. Safe to run again.
     */
    beginContent: ({ runId }: RunId): Promise<'begun' | 'full' | 'ended'> =>
      db.begin(async (tx) => {
        const run = await findContentRun(tx, runId)
        if (run === undefined || run.state === 'completed' || run.state === 'failed') return 'ended'
        const claimed = await claimSlot(tx, run, content.slots)
        if (claimed !== 'begun') return claimed
        return (await beginBackgroundRun(tx, runId)) ? 'begun' : 'ended'
      }),

    /** Deletes the song, and all stored files of a run without a video. Safe to run again. */
    clearContent: ({ runId, isMade }: RunId & { isMade: boolean }): Promise<void> =>
      withHeartbeat(async () => {
        const run = await findContentRun(db, runId)
        if (run?.song) await store.delete(run.song.key)
        if (isMade) return
        if (run?.imageKey) await store.delete(run.imageKey)
        await store.delete(contentKey(runId, 'video', 'mp4'))
      }),

    /**
     * Ends the run, settles or releases its hold, and ends its background run in one transaction. Safe to run again: an
     * ended run never changes.
     */
    endContent: async ({ runId, outcome }: RunId & { outcome: ContentOutcome }): Promise<void> => {
      const known = await findContentRun(db, runId)
      const output = known && 'videoKey' in outcome ? await buildOutput(known, outcome.videoKey) : null
      await endJobBy(db, { id: runId, attempt: Context.current().info.attempt }, async (tx) => {
        const run = await findContentRun(tx, runId)
        return run === undefined ? endBackgroundRun(tx, runId, { status: 'CANCELED' }) : end(tx, run, outcome, output)
      })
      await signalPoll(runId)
    },
  }
}
