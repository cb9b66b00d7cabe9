import type { PriceTable } from '../credits/prices.ts'

/** Credits for one profile; without a number of posts one is counted. */
export function scrapePrice(posts: number | null, prices: PriceTable): number {
  return prices.social_scrape_profile + (posts ?? 1) * prices.social_scrape_post
}

/** Of the debit of a profile. */
export function scrapeReference(profileRunId: string): string {
  return `scrape:${profileRunId}`
}
