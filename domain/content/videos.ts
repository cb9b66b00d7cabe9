import { z } from 'zod'
import { listedStatuses, type ListedStatus } from '../runs/listed-run.ts'
import type { Clip } from './clip.ts'
import type { ContentOptions } from './request.ts'
import type { ContentProgress, ContentSong } from './runs.ts'
import { captionLengths } from './templates/index.ts'
import { toWire } from '../wire.ts'

/** A run with its request and result, as read for the list. */
export type ContentVideo = {
  runId: string
  accountId: string
  artistId: string | null
  artistName: string
  options: ContentOptions
  status: ListedStatus
  /** Null once its background run is deleted. */
  progress: ContentProgress | null
  imageKey: string | null
  song: ContentSong | null
  clip: Clip | null
  caption: string | null
  videoKey: string | null
  error: string | null
  cancellable: boolean
  createdAt: Date
  /** `createdAt` in microseconds: the sort key. */
  createdMicros: number
  endedAt: Date | null
}

export const contentVideoSchema = z
  .object({
    runId: z.string(),
    status: z.enum(listedStatuses),
    stage: z.string().nullable(),
    message: z.string().nullable(),
    artist_account_id: z.guid().nullable(),
    artist_name: z.string(),
    template: z.string(),
    lipsync: z.boolean(),
    upscale: z.boolean(),
    caption_length: z.enum(captionLengths),
    songs: z.array(z.string()),
    images: z.array(z.string()),
    videoSourceUrl: z.string().nullable(),
    imageUrl: z.string().nullable(),
    captionText: z.string(),
    audio: z.object({ songTitle: z.string(), startSeconds: z.number(), durationSeconds: z.number() }).nullable(),
    error: z.string().nullable(),
    cancellable: z.boolean(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ContentVideo' })

/** `urls`: public URLs of the stored objects. */
export function toContentVideoResponse(
  video: ContentVideo,
  urls: { video: string | null; image: string | null },
): z.output<typeof contentVideoSchema> {
  const { options, song, clip, progress } = video
  return toWire(contentVideoSchema, {
    ...video,
    ...options,
    stage: progress?.stage ?? null,
    message: progress?.message ?? null,
    artistAccountId: video.artistId,
    videoSourceUrl: urls.video,
    imageUrl: urls.image,
    captionText: video.caption ?? '',
    audio:
      song === null || clip === null
        ? null
        : { songTitle: song.title, startSeconds: clip.startSeconds, durationSeconds: clip.durationSeconds },
    error: video.status === 'failed' ? video.error : null,
  })
}
