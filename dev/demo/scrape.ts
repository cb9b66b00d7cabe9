import { print } from '../say.ts'
import { connectDemo, poll, printHeading, type Demo } from './client.ts'

type ProfileRun = { runId: string; platform: string; profile_url: string; state: string; error: string | null }
type ScrapeResponse = {
  run: { state: string; runs: ProfileRun[] }
  data: { posts: Post[] } | null
  pagination: { total_count: number }
}
type Post = { post_url: string; published_at: string; views: number | null; likes: number | null }

const chartWidth = 50

/** `npm run demo:scrape`: scrapes three profiles of an artist and draws the views of their posts. */
export async function main(): Promise<void> {
  const demo = await connectDemo()
  const artistId = await createArtist(demo)
  printHeading('A scrape of three profiles, with 15 posts each')
  const started = await demo.json<{ runId: string; runs: ProfileRun[] }>('POST', '/api/artist/socials/scrape', {
    artist_account_id: artistId,
    posts: 15,
  })
  const { run, pagination } = await follow(demo, started.runId)
  print(`  ${run.state}: ${pagination.total_count} posts stored`)

  const profileRun = started.runs.find(({ platform }) => platform === 'TIKTOK')
  const { data } = await demo.json<ScrapeResponse>(
    'GET',
    `/api/scrapers/runs/${profileRun?.runId ?? started.runId}?limit=15`,
  )
  printHeading('Views of the latest posts')
  for (const line of drawViews(data?.posts ?? [])) print(`  ${line}`)
}

/** Draws a bar per post, scaled to the post with the most views. */
export function drawViews(posts: readonly Post[]): string[] {
  const maxViews = Math.max(1, ...posts.map(({ views }) => views ?? 0))
  return posts.map(({ published_at, views }) => {
    const bar = '█'.repeat(Math.round(((views ?? 0) / maxViews) * chartWidth)).padEnd(chartWidth, '·')
    return `${published_at.slice(0, 10)} ${bar} ${(views ?? 0).toLocaleString('en-US')}`
  })
}

async function createArtist({ json }: Demo): Promise<string> {
  const { artist } = await json<{ artist: { id: string } }>('POST', '/api/artists', { name: 'Nova of the demo' })
  await json('PATCH', `/api/artists/${artist.id}`, {
    profileUrls: {
      TIKTOK: 'https://tiktok.com/@demo-nova',
      PHOTO: 'https://instagram.com/demo-nova',
      X: 'https://x.com/demo-nova',
    },
  })
  return artist.id
}

/** Prints the state of each profile when it changes. */
function follow({ json }: Demo, runId: string): Promise<ScrapeResponse> {
  const lastStates = new Map<string, string>()
  return poll(async () => {
    const current = await json<ScrapeResponse>('GET', `/api/scrapers/runs/${runId}`)
    for (const { profile_url, state, error } of current.run.runs) {
      if (lastStates.get(profile_url) === state) continue
      lastStates.set(profile_url, state)
      print(`  ${profile_url}: ${state}${error === null ? '' : ` (${error})`}`)
    }
    return current.run.state === 'COMPLETED' || current.run.state === 'FAILED' ? current : undefined
  })
}
