import { z } from 'zod'
import type { PlanRules } from '../../domain/credits/plans.ts'
import { listProblems, rejectEmbedded, requireHttps, requireSettings, type Mode } from '../requirements.ts'
import { anyText, anyUrl, choice, count, flag, positive, secret } from '../values.ts'

const mediaShape = {
  RENDER_PROVIDER: choice(['embedded', 'fal', 'none']).describe(
    'Renderer of music and videos: embedded (this service), fal.ai, or none, which rejects new music and videos.',
  ),
  MAX_CONCURRENT_RENDERS: positive(1).describe(
    'Maximum number of embedded renders that a worker runs concurrently, with low priority.',
  ),
  RENDER_SECONDS: positive(900).describe(
    'Time limit of an embedded render, in seconds, after which it is killed and fails.',
  ),
  CLIP_SECONDS: z.coerce
    .number()
    .min(2)
    .max(60)
    .default(15)
    .describe('Length, in seconds, of the videos of POST /api/content/create. A video is never longer than its song.'),
  CLIP_WIDTH: z.coerce
    .number()
    .int()
    .min(180)
    .max(2160)
    .refine((pixels) => pixels % 18 === 0, 'must be a multiple of 18')
    .default(1080)
    .describe('Width of embedded clips, in pixels. The height is 16/9 of the width.'),
  MAX_CONCURRENT_VIDEOS: positive(4).describe(
    'Maximum number of videos that are created concurrently, across all accounts and workers; other videos wait.',
  ),
  VIDEOS_OF_ACCOUNT: positive(3).describe('Maximum number of videos of one account that are created concurrently.'),
  FFMPEG_PATH: anyText().describe(
    "Path of an ffmpeg with libx264, AAC and libmp3lame. Unset: the system's ffmpeg. Without ffmpeg, tracks are WAV files, and videos fail.",
  ),
  ALLOW_PRIVATE_FETCH: flag(false).describe(
    'For development: allows HTTP and private hosts for provider files and for the connectors in CONNECTORS_DIR. Not allowed in production mode.',
  ),
  FAL_QUEUE_URL: anyUrl('https://queue.fal.run').describe('URL of the queue of fal.ai.'),
  FAL_PLATFORM_URL: anyUrl('https://api.fal.ai/v1').describe(
    'URL of the platform API of fal.ai, which is searched for requests without a response.',
  ),
  FAL_KEYS_URL: anyUrl('https://rest.fal.ai/.well-known/jwks.json').describe(
    'URL of the keys with which fal.ai signs webhooks.',
  ),
  FAL_KEY: secret('API key for RENDER_PROVIDER=fal.'),
  FAL_MUSIC_MODEL: anyText('fal-ai/ace-step').describe(
    'Model of fal.ai that generates music. It must accept the same input as ACE-Step.',
  ),
  FAL_VIDEO_MODEL: anyText().describe(
    'Model or workflow of fal.ai that generates clips from image_url, audio_url, start_seconds, duration_seconds, caption, template, lipsync and upscale. Unset: fal.ai generates no clips.',
  ),
  MEDIA_MEGABYTES_FREE: count(1024).describe(
    'Maximum size, in megabytes, of the finished tracks, videos and files of an account on the free plan. 0: no limit.',
  ),
  MEDIA_MEGABYTES_STARTER: count(10_240).describe('Like MEDIA_MEGABYTES_FREE, for the starter plan.'),
  MEDIA_MEGABYTES_PRO: count(102_400).describe('Like MEDIA_MEGABYTES_FREE, for the pro plan.'),
  MEDIA_PUBLIC_URL: anyUrl().describe(
    'Public URL of finished media in BLOB_S3_BUCKET, for example of a CDN. Unset: URLs are signed and valid for seven days.',
  ),
}

type Values = z.output<z.ZodObject<typeof mediaShape>>

/** Returns the name of the model that generates music, as shown in generations. */
export function musicModel(config: Values): string {
  return config.RENDER_PROVIDER === 'fal' ? config.FAL_MUSIC_MODEL : 'embedded/composer'
}

/** Returns the settings of the renderer. The embedded renderer also needs its jobs and a store. */
export function renderSettings(config: Values & { DATA_DIR: string }) {
  if (config.RENDER_PROVIDER === 'none') return { provider: 'none' } as const
  return config.RENDER_PROVIDER === 'fal'
    ? ({
        provider: 'fal',
        key: config.FAL_KEY ?? '',
        musicModel: config.FAL_MUSIC_MODEL,
        videoModel: config.FAL_VIDEO_MODEL,
        urls: { queue: config.FAL_QUEUE_URL, platform: config.FAL_PLATFORM_URL, keys: config.FAL_KEYS_URL },
      } as const)
    : ({
        provider: 'embedded',
        ffmpegPath: config.FFMPEG_PATH,
        folder: `${config.DATA_DIR}/renders`,
        maxRenders: config.MAX_CONCURRENT_RENDERS,
        limits: { timeoutMs: config.RENDER_SECONDS * 1000 },
        frame: { width: config.CLIP_WIDTH, height: (config.CLIP_WIDTH / 9) * 16 },
      } as const)
}

/** Returns the settings for the creation of videos. */
export function contentSettings(config: Values & { DATA_DIR: string }) {
  return {
    folder: `${config.DATA_DIR}/renders`,
    slots: { all: config.MAX_CONCURRENT_VIDEOS, perAccount: config.VIDEOS_OF_ACCOUNT },
    clipSeconds: config.CLIP_SECONDS,
  }
}

/** Returns the media quota of each plan. A person gets the highest quota of their own plan and their organizations' plans. */
export function mediaTerms(config: Values & { plans: PlanRules }) {
  const quotas = {
    free: quotaBytes(config.MEDIA_MEGABYTES_FREE),
    starter: quotaBytes(config.MEDIA_MEGABYTES_STARTER),
    pro: quotaBytes(config.MEDIA_MEGABYTES_PRO),
  }
  return { plans: config.plans, quotas }
}

function quotaBytes(megabytes: number): number | null {
  return megabytes === 0 ? null : megabytes * 1024 * 1024
}

export const mediaGroup = { settings: mediaShape, validate: validateMedia }

function validateMedia(config: Values & Mode): string[] {
  const { RENDER_PROVIDER: provider } = config
  return [
    ...listProblems({
      'ALLOW_PRIVATE_FETCH is not allowed in production mode: unset it.':
        config.PRODUCTION_MODE && config.ALLOW_PRIVATE_FETCH,
    }),
    ...(provider === 'fal' ? requireSettings(config, ['FAL_KEY'], 'with RENDER_PROVIDER=fal') : []),
    ...(provider === 'fal' ? requireHttps(config, ['FAL_QUEUE_URL', 'FAL_PLATFORM_URL', 'FAL_KEYS_URL']) : []),
    ...(provider === 'embedded' ? rejectEmbedded(config, 'RENDER_PROVIDER', 'render', 'another provider or none') : []),
  ]
}
