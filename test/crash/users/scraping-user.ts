import type { Pool } from '../../../db/postgres/client.ts'
import { priceTable } from '../../../domain/credits/work-prices.ts'
import { scrapePrice } from '../../../domain/scrapers/price.ts'
import { createClient, DeadlinePassed, UnexpectedResponse, type Client, type ClientContext } from './client.ts'
import type { UserOptions } from './workload-user.ts'

type ScrapingUser = Omit<UserOptions, 'mix'> & { db: Pool; accountId: string }
type ScrapeState = { state: string; runs?: { state: string }[] }

const posts = 5
const pollMs = 500

/**
 * Runs a user who repeatedly scrapes the profiles of an artist, one of which fails, until the workload stops. Reports
 * scrapes that never ended and charges that do not match the results.
 */
export async function runScrapingUser(context: ClientContext, options: ScrapingUser): Promise<void> {
  const { name, key, random, stopping, db, accountId } = options
  // The records of the chat checker exclude the requests of this user.
  const client = createClient({ ...context, operations: [] }, { key, name, random })
  let pendingRunId = ''
  let price = 0
  try {
    const artistId = await makeArtist(client, name, random.fork('profiles').between(0, 2 ** 31))
    for (let number = 0; !stopping.aborted; number++) {
      const body = { artist_account_id: artistId, posts }
      const { json } = await client.prepare('/api/artist/socials/scrape', body, { key: `${name}-${number}` })
      pendingRunId = String(json['runId'])
      const ended = await untilEnded(client, pendingRunId)
      pendingRunId = ''
      const stored = ended.runs?.filter(({ state }) => state === 'COMPLETED').length ?? 0
      price += stored * scrapePrice(posts, priceTable())
      if (stored !== 2)
        context.reportUnexpected(`${name}: ${stored} of 2 profiles were scraped by ${String(json['runId'])}`)
      await client.pause(pollMs)
    }
    const spent = await readSpent(db, accountId)
    if (spent !== price) context.reportUnexpected(`${name}: spent ${spent} on scrapes that cost ${price}`)
  } catch (error) {
    if (error instanceof DeadlinePassed) {
      if (pendingRunId !== '') context.reportUnexpected(`${name}: the scrape ${pendingRunId} never ended`)
    } else if (!(error instanceof UnexpectedResponse)) context.reportUnexpected(`${name}: ${String(error)}`)
  }
}

async function makeArtist(client: Client, name: string, number: number): Promise<string> {
  const { json } = await client.prepare('/api/artists', { name }, { key: `${name}-artist` })
  const { id } = json['artist'] as { id: string }
  const profileUrls = {
    X: `https://x.com/${name}`,
    VIDEO: `https://youtube.com/@${name}`,
    TIKTOK: `https://tiktok.com/@failing${number}`,
  }
  await client.change(`/api/artists/${id}`, { profileUrls })
  return id
}

async function untilEnded(client: Client, runId: string): Promise<ScrapeState> {
  for (;;) {
    const { json } = await client.read(`/api/scrapers/runs/${runId}`)
    const run = json['run'] as ScrapeState
    if (run.state === 'COMPLETED' || run.state === 'FAILED') return run
    await client.pause(pollMs)
  }
}

async function readSpent(db: Pool, accountId: string): Promise<number> {
  const [row] = await db<[{ spent: number }]>`
    select coalesce(sum(-amount), 0)::int as spent from credit_ledger
    where account_id = ${accountId} and reference like '%scrape:%'`
  return row.spent
}
