import { z } from 'zod'
import { text, uuid } from '../fields/fields.ts'
import { captionLengths, contentTemplates, defaultTemplate, isTemplate, type CaptionLength } from './templates/index.ts'

export const maxBatch = 30
const maxSources = 50
const maxSourceLength = 2048

/** Body of `POST /api/content/create`. `isFetchable`: whether this service may fetch a URL. */
export function contentRequestSchema(isFetchable: (url: string) => boolean) {
  const rule = { error: 'must be an https URL of a public host' }
  const images = z.array(text(1, maxSourceLength).refine(isFetchable, rule)).max(maxSources)
  const songs = z
    .array(text(1, maxSourceLength).refine((song) => !isUrl(song) || isFetchable(song), rule))
    .max(maxSources)
  return z.object({
    artist_account_id: uuid,
    template: z
      .string()
      .refine(isTemplate, { error: 'must be the name of a template' })
      .default(defaultTemplate)
      .meta({ override: { type: 'string', enum: contentTemplates.map(({ name }) => name), default: defaultTemplate } }),
    lipsync: z.boolean().default(false),
    upscale: z.boolean().default(false),
    caption_length: z.enum(captionLengths).default('none'),
    batch: z.int().min(1).max(maxBatch).default(1),
    songs: songs.optional(),
    images: images.optional(),
    account_id: uuid.optional(),
  })
}

/** Part of a request that is stored with each of its runs. */
export type ContentOptions = {
  template: string
  lipsync: boolean
  upscale: boolean
  captionLength: CaptionLength
  songs: string[]
  images: string[]
}

/** Returns whether a source is a URL and not a file name. */
export function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source)
}

/** Returns whether the source repository is needed: no image is requested, or no song is a URL. */
export function needsRepository({ songs, images }: Pick<ContentOptions, 'songs' | 'images'>): boolean {
  return images.length === 0 || !songs.some(isUrl)
}
