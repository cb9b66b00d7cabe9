import { z } from 'zod'
import { storedUrl } from '../fields/stored-url.ts'

/** Row of a live-events profile in a scraper's result. Times are texts that start with the day. */
export type ScrapedEvent = {
  localStart: string | null
  start: string | null
  venue: string | null
  city: string | null
  region: string | null
  country: string | null
  offerUrls: string[]
  soldOut: boolean | null
  lineup: string[]
}

export const eventDates = ['upcoming', 'past', 'all'] as const
export type EventDates = (typeof eventDates)[number]

export const liveEventSchema = z
  .object({
    date: z.iso.date(),
    venue: z.string(),
    city: z.string(),
    region: z.string().nullable(),
    country: z.string(),
    ticket_url: z.string().nullable(),
    sold_out: z.boolean(),
    lineup: z.array(z.string()).meta({ description: 'The requested artist comes first.' }),
  })
  .meta({ id: 'LiveEvent' })

export type LiveEvent = z.output<typeof liveEventSchema>

/**
 * Converts the rows with a valid day to events, sorted by day and venue. `upcoming` includes today (UTC). The provider
 * has already applied the same filter, but its rows are filtered again.
 */
export function liveEvents(
  rows: readonly ScrapedEvent[],
  { artist, dates, now }: { artist: string | null; dates: EventDates; now: Date },
): LiveEvent[] {
  const today = now.toISOString().slice(0, 10)
  return rows
    .flatMap((row) => toEvent(row, artist) ?? [])
    .filter(({ date }) => isInRange(date, dates, today))
    .sort((a, b) => compare(a.date, b.date) || compare(a.venue, b.venue))
}

function toEvent(row: ScrapedEvent, artist: string | null): LiveEvent | undefined {
  const date = parseDay(row)
  if (date === undefined) return undefined
  return {
    date,
    venue: row.venue ?? '',
    city: row.city ?? '',
    region: row.region || null,
    country: row.country ?? '',
    ticket_url: row.offerUrls.find((url) => storedUrl.safeParse(url).success) ?? null,
    sold_out: row.soldOut ?? false,
    lineup: withArtistFirst(row.lineup, artist),
  }
}

function parseDay({ localStart, start }: ScrapedEvent): string | undefined {
  return [localStart, start].map((time) => z.iso.date().safeParse(time?.slice(0, 10))).find(({ success }) => success)
    ?.data
}

/** Moves the artist to the front, once, in the spelling of the row if the row contains it. */
function withArtistFirst(lineup: readonly string[], artist: string | null): string[] {
  const names = lineup.filter((name) => name.trim() !== '')
  if (artist === null) return names
  const first = names.find((name) => isSameName(name, artist)) ?? artist
  return [first, ...names.filter((name) => !isSameName(name, artist))]
}

function isSameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}

function isInRange(date: string, dates: EventDates, today: string): boolean {
  return dates === 'all' || (dates === 'upcoming') === date >= today
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
