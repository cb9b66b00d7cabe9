import { z } from 'zod'
import { toWire } from '../wire.ts'

/** A post of a profile. A count that the platform does not report is null. */
export type Post = {
  id: string
  postUrl: string
  publishedAt: Date
  views: number | null
  likes: number | null
  comments: number | null
  reposts: number | null
}

const count = z.int().nullable()

export const postSchema = z
  .object({
    id: z.guid(),
    post_url: z.string(),
    published_at: z.iso.datetime(),
    updated_at: z.iso.datetime().meta({ description: 'The same as published_at.' }),
    views: count,
    likes: count,
    comments: count,
    reposts: count,
  })
  .meta({ id: 'Post' })

export function toPostResponse(post: Post): z.output<typeof postSchema> {
  return toWire(postSchema, { ...post, updatedAt: post.publishedAt })
}
