import { baseName } from './folder.ts'
import type { Clip } from './clip.ts'
import type { ContentOptions } from './request.ts'

/** The job that creates one video. */
export const contentJob = 'create-content'
/** The job that waits for the videos of a mention. */
export const pollJob = 'poll-content-runs'

/** A stored run. Missing values are null. */
export type ContentRun = {
  runId: string
  accountId: string
  artistName: string
  options: ContentOptions
  /** Index for the rotation of the batch's runs through images, songs and parts of songs. */
  turn: number
  state: 'queued' | 'running' | 'completed' | 'failed'
  imageKey: string | null
  song: ContentSong | null
  clip: Clip | null
  caption: string | null
  /** Whether the request may have been sent to the renderer. */
  isRequested: boolean
  providerRequestId: string | null
  videoKey: string | null
  /** Reason why the run failed or will fail. */
  error: string | null
}

/** `fileName` is its name at the source; `mood` is set once the model has named it. */
export type ContentSong = { key: string; fileName: string; title: string; track?: SongTrack; mood?: string }

/** Data of a song that the account has generated. */
export type SongTrack = { prompt: string; lyrics: string }

/** Progress of a run: metadata of its background run. */
export type ContentProgress = {
  stage: 'waiting' | 'sources' | 'caption' | 'queued' | 'rendering' | 'storing'
  message: string | null
}

/** Fixed reasons why a run failed. Other reasons name a missing source. */
export const contentFailureTexts = {
  sources: 'The image or the song could not be read.',
  rendering: 'The video could not be rendered.',
  storing: 'The video could not be stored.',
  time: 'The video took too long.',
} as const
/** Reason that is shown for a cancelled run. */
export const cancelledText = 'The run was cancelled.'
export type ContentFailure = keyof typeof contentFailureTexts

/** Output of a completed run. */
export type ContentOutput = {
  videoSourceUrl: string
  imageUrl: string
  captionText: string
  template: string
  lipsync: boolean
  audio: {
    songTitle: string
    songFilename: string
    startSeconds: number
    durationSeconds: number
    clipLyrics: string | null
    clipMood: string | null
  }
}

/** Returns the ledger reference of the hold and the charge. */
export function contentReference(runId: string): string {
  return `content:${runId}`
}

type StoredObject = 'image' | 'song' | 'video'

/** Returns the key of an object of a run in the store. The song exists only during the render. */
export function contentKey(runId: string, object: StoredObject, extension: string): string {
  return `content/${runId}${object === 'song' ? '-song' : ''}.${extension}`
}

export function songFileName(source: string): string {
  const path = source.slice(0, source.search(/[?#]|$/))
  try {
    return decodeURIComponent(baseName(path)) || 'song'
  } catch {
    return baseName(path) || 'song'
  }
}
