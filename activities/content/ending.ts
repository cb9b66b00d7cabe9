import type { ContentPayload } from '../../db/content/accept.ts'
import { contentJobKind } from '../../db/content/job.ts'
import { claimContentSlot, findContentRun } from '../../db/content/runs.ts'
import { findWaitingPoll } from '../../db/content/agent/threads.ts'
import { beginJobRow, readJob } from '../../db/jobs/jobs.ts'
import {
  cancelledText,
  contentFailureTexts,
  contentKey,
  type ContentFailure,
  type ContentOutput,
  type ContentRun,
} from '../../domain/content/runs.ts'
import { endRender, type RenderEnd } from '../jobs/end-render.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { ContentDeps } from './deps.ts'

type RunId = { runId: string }

/** Outcome of a run. */
export type ContentOutcome = { videoKey: string } | { fault: ContentFailure } | { cancelled: true }

export function createEndActivities(deps: ContentDeps) {
  const { db, store, content, log } = deps

  const buildOutput = async (
    { options, imageKey, song, clip, caption }: ContentRun,
    key: string,
  ): Promise<ContentOutput> => {
    const { template, lipsync } = options
    const [videoSourceUrl, imageUrl] = await Promise.all([store.publicUrl(key), store.publicUrl(imageKey ?? '')])
    const { startSeconds, durationSeconds } = clip ?? { startSeconds: 0, durationSeconds: 0 }
    const { title: songTitle = '', fileName: songFilename = '', track, mood } = song ?? {}
    const details = { clipLyrics: track?.lyrics ?? null, clipMood: mood ?? null }
    const audio = { songTitle, songFilename, startSeconds, durationSeconds, ...details }
    return { videoSourceUrl, imageUrl, captionText: caption ?? '', template, lipsync, audio }
  }

  /** Signals the run that polls this run. If the signal is lost, the poll continues at the end of its interval. */
  const signalPoll = async (runId: string): Promise<void> => {
    try {
      const pollRunId = await findWaitingPoll(db, runId)
      if (pollRunId !== undefined) await content.engine.wakePoll(pollRunId)
    } catch (err) {
      log.warn({ err, runId }, 'failed to notify the polling run that a video has ended')
    }
  }

  const toEnd = async (runId: string, outcome: ContentOutcome): Promise<RenderEnd> => {
    if ('fault' in outcome) return { reason: contentFailureTexts[outcome.fault] }
    const run = await findContentRun(db, runId)
    if ('cancelled' in outcome || run === undefined) return { reason: cancelledText, isCancelled: true }
    const { creditsPerVideo: amount } = (await readJob(db, runId)).payload as ContentPayload
    const { videoKey } = outcome
    return { columns: { video_key: videoKey }, amount, output: await buildOutput(run, videoKey) }
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
        const slot = await claimContentSlot(tx, run, content.slots)
        if (slot !== 'begun') return slot
        return (await beginJobRow(tx, runId)) ? 'begun' : 'ended'
      }),

    /** Deletes the song of a run, and its other files if the run made no video. Safe to run again. */
    clearContent: ({ runId, isMade }: RunId & { isMade: boolean }): Promise<void> =>
      withHeartbeat(async () => {
        const run = await findContentRun(db, runId)
        if (run?.song) await store.delete(run.song.key)
        if (isMade) return
        if (run?.imageKey) await store.delete(run.imageKey)
        await store.delete(contentKey(runId, 'video', 'mp4'))
      }),

    /** Ends the run, settles or releases its credit hold, and ends its background run. Safe to run again. */
    endContent: async ({ runId, outcome }: RunId & { outcome: ContentOutcome }): Promise<void> => {
      await endRender(deps, contentJobKind, runId, await toEnd(runId, outcome))
      await signalPoll(runId)
    },
  }
}
