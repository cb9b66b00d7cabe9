import type { ActivityDeps } from '../deps.ts'

export type ScrapeDeps = Pick<ActivityDeps, 'db' | 'scraper' | 'platform' | 'scraperSlots' | 'wakeScrape' | 'log'>
