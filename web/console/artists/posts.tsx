import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { PostTable } from '../scraping/post-table.tsx'

export function Posts({ artistId: id }: { artistId: string }) {
  const query = useQuery({
    queryKey: ['artists', id, 'posts'],
    queryFn: async () =>
      (await read(api.GET('/api/artists/{id}/posts', { params: { path: { id }, query: { limit: 30 } } }))).posts,
  })
  return (
    <Section title="Posts">
      <Loaded query={query}>
        {(posts) =>
          posts.length === 0 ? (
            <p className="empty">No posts yet. Scrape the profiles to read their latest posts.</p>
          ) : (
            <PostTable posts={posts} />
          )
        }
      </Loaded>
    </Section>
  )
}
