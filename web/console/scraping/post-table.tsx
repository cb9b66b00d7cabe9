import { Chart } from '../charts/chart.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Table } from '../parts/table.tsx'
import { compact, count, Time } from '../parts/words.tsx'

type Post = {
  id: string
  post_url: string
  published_at: string
  views: number | null
  likes: number | null
  comments: number | null
  reposts: number | null
}

/** Table of posts, and a chart of their views and likes by publication time. */
export function PostTable({ posts }: { posts: Post[] }) {
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
          {
            name: 'Published',
            show: (post) => <Time at={post.published_at} />,
            value: (post) => new Date(post.published_at),
          },
          {
            name: 'Post',
            show: (post) => <SafeLink href={post.post_url}>{shortenUrl(post.post_url)}</SafeLink>,
            value: (post) => post.post_url,
          },
          { name: 'Views', show: (post) => count(post.views), value: (post) => post.views, isNumber: true },
          { name: 'Likes', show: (post) => count(post.likes), value: (post) => post.likes, isNumber: true },
          { name: 'Comments', show: (post) => count(post.comments), value: (post) => post.comments, isNumber: true },
          { name: 'Reposts', show: (post) => count(post.reposts), value: (post) => post.reposts, isNumber: true },
        ]}
      />
    </>
  )
}

function shortenUrl(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').slice(0, 60)
}
