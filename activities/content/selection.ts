import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Context } from '@temporalio/activity'
import {
  readContentRun,
  recordCaption,
  recordClip,
  recordFailure,
  updateContentProgress,
} from '../../db/content/runs.ts'
import {
  captionInstructions,
  parseCaption,
  captionQuestion,
  parseMood,
  plainCaption,
  type CaptionSubject,
} from '../../domain/content/caption.ts'
import { chooseClip, type Clip } from '../../domain/content/clip.ts'
import { contentFailureTexts, type ContentRun } from '../../domain/content/runs.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { readModelText } from '../runtime/model-text.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import type { ContentDeps } from './deps.ts'

type RunId = { runId: string }
type GeneratedCaption = { caption: string; mood?: string | undefined }

const captionTimeoutMs = 20_000
const maxOutputTokens = 300
const maxCharacters = 2000

/** Creates the activities that choose the clip of the song and the caption of a run before it is rendered. */
export function createSelectionActivities(deps: ContentDeps) {
  const { db, store, content, models, settings, log } = deps

  const selectClip = async (run: ContentRun, path: string): Promise<Clip> => {
    const song = await store.open(run.song?.key ?? '')
    if (song === undefined) throw new ProviderError('not_found', 'store: the song no longer exists')
    await pipeline(song.content, createWriteStream(path, { mode: 0o600 }))
    const levels = await content.audio.measureLevels(path)
    return levels === undefined
      ? { startSeconds: 0, durationSeconds: content.clipSeconds }
      : chooseClip(levels, content.clipSeconds, run.turn)
  }

  const generateCaption = async (
    subject: CaptionSubject,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<GeneratedCaption> => {
    const call = {
      modelId: settings.smallModel,
      idempotencyKey,
      prompt: [
        { role: 'system' as const, content: captionInstructions(subject) },
        { role: 'user' as const, content: [{ type: 'text' as const, text: captionQuestion(subject) }] },
      ],
      tools: [],
      maxOutputTokens,
    }
    const text = await readModelText(models, call, { signal, maxCharacters })
    return { caption: parseCaption(text, subject), mood: parseMood(text, subject) }
  }

  return {
    /**
     * Finds the most energetic part of the song. Returns false, and records why the run fails, if the song is missing or is not
     * audio. Safe to run again: the first choice is kept.
     */
    chooseContentClip: ({ runId }: RunId): Promise<boolean> =>
      withProviderAttempts(async () => {
        const run = await readContentRun(db, runId)
        if (run.clip !== null) return true
        const folder = join(content.folder, `listen-${runId}-${Context.current().info.attempt}`)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        try {
          await recordClip(db, runId, await selectClip(run, join(folder, 'song')))
          return true
        } catch (error) {
          if (!(error instanceof ProviderError) || error.isRetryable) throw error
          await recordFailure(db, runId, contentFailureTexts.sources)
          return false
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      }),

    /**
     * Calls the small model once for the caption, and for the mood if the account generated the song. If the call
     * fails, the run gets a plain caption and no mood. Safe to run again: the first caption is kept.
     */
    writeContentCaption: ({ runId }: RunId): Promise<void> =>
      withProviderAttempts(async () => {
        const { caption, options, song, artistName } = await readContentRun(db, runId)
        if (caption !== null) return
        const track = song?.track
        if (options.captionLength === 'none' && track === undefined) return recordCaption(db, runId, '')
        await updateContentProgress(db, runId, { stage: 'caption', message: null })
        const { template, captionLength: length } = options
        const subject = { template, length, song: song?.title ?? '', artist: artistName, ...(track && { track }) }
        const { cancellationSignal: cancelled, info } = Context.current()
        const signal = AbortSignal.any([cancelled, AbortSignal.timeout(captionTimeoutMs)])
        const { caption: text, mood } = await generateCaption(
          subject,
          `${runId}:caption:${info.attempt}`,
          signal,
        ).catch((err: unknown): GeneratedCaption => {
          cancelled.throwIfAborted()
          log.warn({ err, runId }, 'the caption call failed; using the plain caption and no mood')
          return { caption: plainCaption(subject) }
        })
        await recordCaption(db, runId, text, mood)
      }),
  }
}
