import { z } from 'zod'
import type { ScrapedEvent } from '../../../domain/events/live-events.ts'
import type { ScrapedAlbum } from '../../../domain/measurements/scraped-albums.ts'
import { count, member, rowOf, rowsOf, text, type Row } from './members.ts'

const id = z.string().regex(/^[A-Za-z0-9]{1,64}$/)

/** An album as an item of the dataset shows it; nothing for what is none. */
export function toAlbum(item: unknown): ScrapedAlbum[] {
  const album = rowOf(item)
  const albumId = album && member(album, ['id', 'albumId'], id)
  if (album === undefined || albumId === null || albumId === undefined) return []
  return [{ albumId, name: member(album, ['name', 'title'], text), tracks: rowsOf(album['tracks']).flatMap(toTrack) }]
}

/** An event as an item of the dataset shows it; nothing for what is none. */
export function toEvent(item: unknown): ScrapedEvent[] {
  const event = rowOf(item)
  if (event === undefined) return []
  const venue = rowOf(event['venue']) ?? {}
  const place = (names: readonly string[]) => member(event, names, text) ?? member(venue, names, text)
  return [
    {
      localStart: member(event, ['localStart', 'startsAtLocal', 'datetime_local', 'starts_at_local'], text),
      start: member(event, ['start', 'startTime', 'startsAt', 'starts_at', 'datetime', 'date'], text),
      venue: member(event, ['venue', 'venueName'], text) ?? member(venue, ['name'], text),
      city: place(['city']),
      region: place(['region', 'state']),
      country: place(['country']),
      offerUrls: urlsOf(event),
      soldOut: member(event, ['soldOut', 'sold_out'], z.boolean()),
      lineup: namesOf(event['lineup']),
    },
  ]
}

function toTrack(track: Row): ScrapedAlbum['tracks'] {
  const trackId = member(track, ['id', 'trackId'], id)
  if (trackId === null) return []
  return [
    {
      trackId,
      name: member(track, ['name', 'title'], text),
      playCount: member(track, ['playCount', 'playcount', 'plays', 'streams'], count),
      durationMs: member(track, ['durationMs', 'duration_ms'], z.number()),
    },
  ]
}

function urlsOf(event: Row): string[] {
  const offers = rowsOf(event['offers']).flatMap((offer) => member(offer, ['url'], text) ?? [])
  return [...offers, ...[member(event, ['ticketUrl', 'ticket_url'], text)].filter((url) => url !== null)]
}

function namesOf(lineup: unknown): string[] {
  return (Array.isArray(lineup) ? lineup : []).flatMap((one: unknown) => {
    const artist = rowOf(one)
    return (artist === undefined ? text.safeParse(one).data : member(artist, ['name'], text)) ?? []
  })
}
