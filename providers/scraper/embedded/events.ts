import type { EventDates, ScrapedEvent } from '../../../domain/events/live-events.ts'
import { draw } from '../../streaming/embedded/draws.ts'
import { artistName } from '../../streaming/embedded/names.ts'
import type { ReservedBehavior } from '../../streaming/embedded/reserved.ts'

const reservedProfiles: Record<string, ReservedBehavior> = {
  '1': 'failing',
  '2': 'hanging',
  '3': 'busy',
  '4': 'garbage',
}

/** Returns the simulated failure of the reserved profiles 1 to 4; undefined for all other profiles. */
export function findProfileBehavior(profileId: string): ReservedBehavior | undefined {
  return reservedProfiles[profileId]
}

const dayMs = 86_400_000

const venues = [
  ['Paradiso', 'Amsterdam', '', 'Netherlands'],
  ['The Fillmore', 'San Francisco', 'CA', 'United States'],
  ['Columbiahalle', 'Berlin', '', 'Germany'],
  ['Massey Hall', 'Toronto', 'ON', 'Canada'],
  ['Zepp Haneda', 'Tokyo', '', 'Japan'],
  ['Teatro Vorterix', 'Buenos Aires', '', 'Argentina'],
] as const

const garbage: ScrapedEvent = {
  localStart: 'soon',
  start: null,
  venue: null,
  city: null,
  region: null,
  country: null,
  offerUrls: ['javascript:alert(1)'],
  soldOut: null,
  lineup: [],
}

/** Generates the events of a profile: half a year in the past and half a year in the future. */
export function generateEvents(
  { profileId, dates }: { profileId: string; dates: EventDates },
  nowMs: number,
): ScrapedEvent[] {
  if (findProfileBehavior(profileId) === 'garbage') return [garbage]
  const thisWeek = Math.floor(nowMs / dayMs / 7)
  const from = dates === 'upcoming' ? 0 : -26
  const to = dates === 'past' ? 1 : 26
  return Array.from({ length: to - from }, (_, index) => createWeekEvents(profileId, thisWeek + from + index)).flat()
}

/** Generates the events of a week: one event in every third week. */
function createWeekEvents(profileId: string, week: number): ScrapedEvent[] {
  const seed = `event ${profileId} ${week}`
  if (draw(`plays ${seed}`, 3) > 0) return []
  const [venue, city, region, country] = venues[draw(`place ${seed}`, venues.length)] ?? venues[0]
  const day = new Date((week * 7 + draw(`day ${seed}`, 7)) * dayMs).toISOString().slice(0, 10)
  return [
    {
      localStart: `${day}T20:00:00`,
      start: `${day}T19:00:00Z`,
      venue,
      city,
      region,
      country,
      offerUrls: draw(`offer ${seed}`, 4) === 0 ? [] : [`https://tickets.example.com/${draw(`ticket ${seed}`, 1e9)}`],
      soldOut: draw(`sold out ${seed}`, 5) === 0,
      lineup: draw(`guest ${seed}`, 2) === 0 ? [artistName(`guest${draw(`who ${seed}`, 50)}`)] : [],
    },
  ]
}
