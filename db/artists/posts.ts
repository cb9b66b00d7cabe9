import type { Post } from '../../domain/artists/posts.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db } from '../postgres/client.ts'

/**
 * Returns the posts of the artist's linked profiles, each once, newest first. Reads at most `offset + limit` posts of each
 * profile.
 */
export function listPosts(db: Db, artistId: string, { limit, offset }: Page): Promise<Post[]> {
  return db<Post[]>`
    select id, post_url, posts.published_at, views, likes, comments, reposts from (
      select distinct published_at, post_id from account_socials link
      cross join lateral (
        select published_at, post_id from social_posts where social_id = link.social_id
        order by published_at desc, post_id limit ${offset + limit}
      ) as linked
      where link.account_id = ${artistId}
      order by published_at desc, post_id limit ${limit} offset ${offset}
    ) as latest join posts on posts.id = latest.post_id
    order by latest.published_at desc, latest.post_id`
}

export async function countPosts(db: Db, artistId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from (
      select distinct post_id from social_posts join account_socials link using (social_id)
      where link.account_id = ${artistId}
    ) as linked`
  return row.count
}
