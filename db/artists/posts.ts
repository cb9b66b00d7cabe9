import type { Post } from '../../domain/artists/posts.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db } from '../postgres/client.ts'

/** Posts of the profiles that are linked to the artist, each once, newest first. */
export function listPosts(db: Db, artistId: string, { limit, offset }: Page): Promise<Post[]> {
  return db<Post[]>`
    select id, post_url, published_at, views, likes, comments, reposts from posts
    where id in (${postsOf(db, artistId)}) order by published_at desc, id limit ${limit} offset ${offset}`
}

export async function countPosts(db: Db, artistId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from posts where id in (${postsOf(db, artistId)})`
  return row.count
}

function postsOf(db: Db, artistId: string) {
  return db`
    select post_id from social_posts join account_socials link using (social_id) where link.account_id = ${artistId}`
}
