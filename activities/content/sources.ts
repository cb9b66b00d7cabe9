import { Context } from '@temporalio/activity'
import { readContentRun, recordFailure, recordImage, recordSong, updateContentProgress } from '../../db/content/runs.ts'
import { findTrackByKey } from '../../db/music/read.ts'
import {
  maxImageBytes,
  maxSongBytes,
  sniffedBytes,
  sniffImage,
  sniffSong,
  type MediaFormat,
} from '../../domain/content/media.ts'
import { toTitle } from '../../domain/content/folder.ts'
import {
  contentFailureTexts,
  contentKey,
  songFileName,
  type ContentRun,
  type SongTrack,
} from '../../domain/content/runs.ts'
import { quotaFullText } from '../../domain/media.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { isQuotaFull } from '../../providers/store/metered.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import { isPermanentFileError, peekBytes, readExternalFile } from '../runtime/external-files.ts'
import type { ContentDeps } from './deps.ts'
import { chooseImage, chooseSong, MissingSourceError, readSource, type Source } from './choice.ts'

type RunId = { runId: string }

type Kind = {
  name: 'image' | 'song'
  sniff: (head: Uint8Array) => MediaFormat | undefined
  maxBytes: number
  refusal: string
}
const image: Kind = {
  name: 'image',
  sniff: sniffImage,
  maxBytes: maxImageBytes,
  refusal: 'The image must be a PNG, JPEG or WebP of at most 20 MiB.',
}
const song: Kind = {
  name: 'song',
  sniff: sniffSong,
  maxBytes: maxSongBytes,
  refusal: 'The song must be an MP3, WAV, FLAC, Ogg, AAC or M4A file of at most 64 MiB.',
}

export function createSourceActivities(deps: ContentDeps) {
  const { db, store } = deps

  /** Copies the file into the store as an object of the run, and returns its key. */
  const copyToStore = async (
    { runId, accountId }: ContentRun,
    source: Source,
    kind: Kind,
    signal: AbortSignal,
  ): Promise<string> => {
    const upload = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
      const { head, whole } = await peekBytes(content, sniffedBytes)
      const format = kind.sniff(head)
      if (format === undefined) throw new ProviderError('invalid', 'the format is not supported')
      const key = contentKey(runId, kind.name, format.extension)
      const { contentType } = format
      await store.put(key, whole, { contentType, overwrite: true, maxBytes: kind.maxBytes, accountId, signal })
      return key
    }
    return 'url' in source
      ? readExternalFile(deps, source.url, signal, upload)
      : upload(await readSource(deps, source, kind.maxBytes))
  }

  /** Chooses and stores a source. If it is missing or unusable, records the reason in the run and returns false. */
  const storeSource = async (
    runId: string,
    kind: Kind,
    choose: (run: ContentRun) => Promise<Source>,
    record: (key: string, source: Source) => Promise<void>,
  ): Promise<boolean> => {
    const { cancellationSignal: signal } = Context.current()
    const run = await readContentRun(db, runId)
    try {
      const source = await choose(run)
      await record(await copyToStore(run, source, kind, signal), source)
      return true
    } catch (error) {
      if (isQuotaFull(error)) await recordFailure(db, runId, quotaFullText)
      else if (error instanceof MissingSourceError) await recordFailure(db, runId, error.message)
      else if (error instanceof ProviderError && error.kind === 'invalid') await recordFailure(db, runId, kind.refusal)
      else if (isPermanentFileError(error)) await recordFailure(db, runId, contentFailureTexts.sources)
      else throw error
      return false
    }
  }

  /** Returns the prompt and lyrics of a song that the account generated with this service; undefined for any other song. */
  const findTrack = async (runId: string, source: Source): Promise<SongTrack | undefined> => {
    const key = 'url' in source ? store.parseKey(source.url) : undefined
    if (key === undefined) return undefined
    return findTrackByKey(db, (await readContentRun(db, runId)).accountId, key)
  }

  return {
    /**
     * Chooses the image and copies it into the store, overwriting the object of an earlier attempt. Safe to run again.
     */
    storeContentImage: ({ runId }: RunId): Promise<boolean> =>
      withProviderAttempts(async () => {
        await updateContentProgress(db, runId, { stage: 'sources', message: null })
        return storeSource(
          runId,
          image,
          (run) => chooseImage(deps, run),
          (key) => recordImage(db, runId, key),
        )
      }),

    /** Chooses the song and copies it into the store, overwriting the object of an earlier attempt. Safe to run again. */
    storeContentSong: ({ runId }: RunId): Promise<boolean> =>
      withProviderAttempts(() =>
        storeSource(
          runId,
          song,
          (run) => chooseSong(deps, run),
          async (key, source) => {
            const fileName = songFileName('url' in source ? source.url : source.path).slice(0, 200)
            const track = await findTrack(runId, source)
            await recordSong(db, runId, { key, fileName, title: toTitle(fileName), ...(track && { track }) })
          },
        ),
      ),
  }
}
