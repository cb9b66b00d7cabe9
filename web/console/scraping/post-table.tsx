import type { Schemas } from '../access/api.ts'
import { Chart } from '../charts/chart.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Table } from '../parts/table.tsx'
import { compact, count } from '../parts/words.tsx'

/** Table of posts, and a chart of their views and likes by publication time. */
export function PostTable({ posts }: { posts: Schemas['Post'][] }) {
  const sortedPosts = posts.toSorted((a, b) => Date.parse(a.published_at) - Date.parse(b.published_at))
  return (
    <>
      {sortedPosts.length > 2 && (
        <Chart
          label="Views and likes of the posts"
          times={sortedPosts.map((post) => Date.parse(post.published_at) / 1000)}
          lines={[
            { name: 'Views', values: sortedPosts.map((post) => post.views) },
            { name: 'Likes', values: sortedPosts.map((post) => post.likes) },
          ]}
          format={compact}
        />
      )}
      <Table
        caption="Posts"
        rows={posts}
        rowKey={({ id }) => id}
        tools="all"
        columns={[
          { name: 'Published', value: (post) => new Date(post.published_at) },
          {
            name: 'Post',
            show: (post) => <SafeLink href={post.post_url}>{shortenUrl(post.post_url)}</SafeLink>,
            value: (post) => post.post_url,
          },
          { name: 'Views', value: (post) => post.views, format: count },
          { name: 'Likes', value: (post) => post.likes, format: count },
          { name: 'Comments', value: (post) => post.comments, format: count },
          { name: 'Reposts', value: (post) => post.reposts, format: count },
        ]}
      />
    </>
  )
}

function shortenUrl(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').slice(0, 60)
}
