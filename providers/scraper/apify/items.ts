import { z } from 'zod'
import type { ScrapedEvent } from '../../../domain/events/live-events.ts'
import type { ScrapedAlbum } from '../../../domain/measurements/scraped-albums.ts'
import { readRecords } from '../../records.ts'
import { count, member, toRow, toRows, text, type Row } from './members.ts'

const id = z.string().regex(/^[A-Za-z0-9]{1,64}$/)

/** An album as an item of the dataset shows it; undefined for an error row and anything else that is none. */
export function toAlbum(item: unknown): ScrapedAlbum | undefined {
  const album = toRow(item)
  const albumId = album && member(album, ['id', 'albumId'], id)
  // An actor reports an album that it could not read by its id and an error, and without tracks.
  if (album === undefined || albumId === null || albumId === undefined || !Array.isArray(album['tracks']))
    return undefined
  const tracks = readRecords('Apify tracks', album['tracks'], toTrack)
  return { albumId, name: member(album, ['name', 'title'], text), tracks }
}

/** An event as an item of the dataset shows it; undefined for an error row and anything else that names no time. */
export function toEvent(item: unknown): ScrapedEvent | undefined {
  const event = toRow(item)
  if (event === undefined) return undefined
  const venue = toRow(event['venue']) ?? {}
  const place = (names: readonly string[]) => member(event, names, text) ?? member(venue, names, text)
  const localStart = member(event, ['localStart', 'startsAtLocal', 'datetime_local', 'starts_at_local'], text)
  const start = member(event, ['start', 'startTime', 'startsAt', 'starts_at', 'datetime', 'date'], text)
  if (localStart === null && start === null) return undefined
  return {
    localStart,
    start,
    venue: member(event, ['venue', 'venueName'], text) ?? member(venue, ['name'], text),
    city: place(['city']),
    region: place(['region', 'state']),
    country: place(['country']),
    offerUrls: listUrls(event),
    soldOut: member(event, ['soldOut', 'sold_out'], z.boolean()),
    lineup: listNames(event['lineup']),
  }
}

function toTrack(item: unknown): ScrapedAlbum['tracks'][number] | undefined {
  const track = toRow(item)
  const trackId = track && member(track, ['id', 'trackId'], id)
  if (track === undefined || trackId === null || trackId === undefined) return undefined
  return {
    trackId,
    name: member(track, ['name', 'title'], text),
    playCount: member(track, ['playCount', 'playcount', 'plays', 'streams'], count),
    durationMs: member(track, ['durationMs', 'duration_ms'], z.number()),
  }
}

function listUrls(event: Row): string[] {
  const offers = toRows(event['offers']).flatMap((offer) => member(offer, ['url'], text) ?? [])
  return [...offers, ...[member(event, ['ticketUrl', 'ticket_url'], text)].filter((url) => url !== null)]
}

function listNames(lineup: unknown): string[] {
  return (Array.isArray(lineup) ? lineup : []).flatMap((one: unknown) => {
    const artist = toRow(one)
    return (artist === undefined ? text.safeParse(one).data : member(artist, ['name'], text)) ?? []
  })
}
