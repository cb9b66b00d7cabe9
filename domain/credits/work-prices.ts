import { z } from 'zod'

const credits = z.int().min(0)
const usd = z.string().regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal string such as "0.003"')

const prices = z.strictObject({
  /** Credits for each profile of a social scrape. */
  social_scrape_profile: credits,
  /** Credits for each requested post of a social scrape. */
  social_scrape_post: credits,
  /** Credits for one request for live events. */
  research_events: credits,
  /** US dollars for each album of a capture. */
  capture_album_usd: usd,
  /** Credits for each second of music. */
  music_second: credits,
  /** Credits for each video. */
  content_video: credits,
})
export type PriceTable = Readonly<z.output<typeof prices>>

const defaultPrices: PriceTable = {
  social_scrape_profile: 5,
  social_scrape_post: 1,
  research_events: 10_000,
  capture_album_usd: '0.003',
  music_second: 2000,
  content_video: 0,
}

export const priceOverrides = prices.partial()

/** Returns the default price table with individual prices replaced. */
export function priceTable(overrides: z.output<typeof priceOverrides> = {}): PriceTable {
  return {
    ...defaultPrices,
    ...overrides,
  }
}
