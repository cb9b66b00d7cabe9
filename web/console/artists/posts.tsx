import { useGet } from '../access/queries.ts'
import { LoadedSection } from '../parts/loaded.tsx'
import { PostTable } from '../scraping/post-table.tsx'

export function Posts({ artistId: id }: { artistId: string }) {
  const input = { path: { id }, query: { limit: 30 } }
  const query = useGet('artists', '/api/artists/{id}/posts', input, { select: ({ posts }) => posts })
  return (
    <LoadedSection title="Posts" query={query} empty="No posts yet. Scrape the profiles to read their latest posts.">
      {(posts) => <PostTable posts={posts} />}
    </LoadedSection>
  )
}
