import { randomUUID } from 'node:crypto'
import type { ScraperRequest } from '../../domain/scrapers/requests.ts'
import type { Pool } from '../postgres/client.ts'

type Run = { id: string; request: ScraperRequest; isAborted: boolean }

/** Storage of the embedded scraper, with one run per key. */
export function createScraperRunStore(db: Pool) {
  return {
    insert: async ({ key, request }: { key: string; request: ScraperRequest }): Promise<{ id: string }> => {
      const [run] = await db<[{ id: string }]>`
      insert into embedded_scraper_runs (id, run_key, kind, input)
      values (${`scrape_${randomUUID()}`}, ${key}, ${request.kind}, ${JSON.stringify(request)}::text::jsonb)
      on conflict (run_key) do update set run_key = excluded.run_key
      returning id`
      return run
    },
    findByKey: async (key: string): Promise<Run | undefined> => {
      const [run] = await db<Run[]>`select ${columns(db)} from embedded_scraper_runs where run_key = ${key}`
      return run
    },
    find: async (id: string): Promise<Run | undefined> => {
      const [run] = await db<Run[]>`select ${columns(db)} from embedded_scraper_runs where id = ${id}`
      return run
    },
    abort: async (id: string): Promise<void> => {
      await db`update embedded_scraper_runs set aborted_at = coalesce(aborted_at, now()) where id = ${id}`
    },
  }
}

function columns(db: Pool) {
  return db`id, input as request, aborted_at is not null as is_aborted`
}
