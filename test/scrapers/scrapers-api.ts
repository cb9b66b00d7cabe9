import { expect } from 'vitest'
import type { z } from 'zod'
import type { scrapeResponse, scrapeRunResponse } from '../../domain/scrapers/runs.ts'
import { eventually, type Sent, type TestAccount, type World } from '../world/world.ts'

type StartedScrape = z.output<typeof scrapeResponse> & {
  message: string
  required_credits: number
  remaining_credits: number
}
type ScrapeResponse = z.output<typeof scrapeRunResponse>

/** Creates a client of the scrape routes. */
export const createScrapersApi = (getWorld: () => World) => {
  const scrape = (sent: Sent, artistId: string, posts?: number) =>
    getWorld().request<StartedScrape>('POST', '/api/artist/socials/scrape', {
      ...sent,
      body: { artist_account_id: artistId, ...(posts !== undefined && { posts }) },
    })
  const read = (sent: Sent, runId: string, query = '') =>
    getWorld().request<ScrapeResponse>('GET', `/api/scrapers/runs/${runId}?${query}`, sent)
  return {
    scrape,
    read,
    /** Adds an artist with these profiles to the account's roster. */
    makeArtistWith: async ({ id, key }: TestAccount, profileUrls: Record<string, string>): Promise<string> => {
      const artist = await getWorld().makeArtist({ rosterOf: id })
      const patched = await getWorld().request('PATCH', `/api/artists/${artist.id}`, { key, body: { profileUrls } })
      expect([patched.status, patched.text]).toEqual([200, expect.any(String)])
      return artist.id
    },
    start: async ({ key }: TestAccount, artistId: string, posts?: number): Promise<StartedScrape> => {
      const response = await scrape({ key }, artistId, posts)
      expect([response.status, response.text]).toEqual([200, expect.any(String)])
      return response.body
    },
    untilEnded: ({ key }: TestAccount, runId: string): Promise<ScrapeResponse> =>
      eventually('the end of a scrape', async () => {
        const { body } = await read({ key }, runId)
        return body.run.state === 'COMPLETED' || body.run.state === 'FAILED' ? body : undefined
      }),
    /** Resolves when a profile of the batch has a run at the provider. */
    untilProviderRun: (batchRunId: string) =>
      eventually('a run of the provider', async () => {
        const runs = await getWorld().db`
          select 1 from scraper_runs where batch_run_id = ${batchRunId} and provider_run_id is not null`
        return runs.length > 0 || undefined
      }),
    /** Terminates the workflow of a job and marks the job as lost, as the sweep does. */
    loseWorkflow: async (runId: string): Promise<void> => {
      await getWorld().engine.terminate(runId)
      await getWorld().db`
        update background_runs set status = 'SYSTEM_FAILURE', finished_at = now() where id = ${runId}`
    },
    /** Returns the credits that the account has spent, minus refunds. */
    readSpentCredits: async ({ id }: TestAccount): Promise<number> => {
      const [row] = await getWorld().db<[{ spent: number }]>`
        select coalesce(sum(-amount), 0)::int as spent from credit_ledger
        where account_id = ${id} and reference like '%scrape:%'`
      return row.spent
    },
  }
}
