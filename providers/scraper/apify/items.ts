import { z } from 'zod'
import type { ScrapedEvent } from '../../../domain/events/live-events.ts'
import type { ScrapedAlbum } from '../../../domain/measurements/scraped-albums.ts'
import { readRecords } from '../../records.ts'
import { count, readMember, toRow, toRows, text, type Row } from './members.ts'

const id = z.string().regex(/^[A-Za-z0-9]{1,64}$/)

/** Parses an album from an item of the dataset; undefined for error rows and other items. */
export function toAlbum(item: unknown): ScrapedAlbum | undefined {
  const album = toRow(item)
  const albumId = album && readMember(album, ['id', 'albumId'], id)
  // An actor reports an unreadable album with its id and an error, but without tracks.
  if (album === undefined || albumId === null || albumId === undefined || !Array.isArray(album['tracks']))
    return undefined
  const tracks = readRecords('Apify tracks', album['tracks'], toTrack)
  return { albumId, name: readMember(album, ['name', 'title'], text), tracks }
}

/** Parses an event from an item of the dataset; undefined for error rows and other items without a time. */
export function toEvent(item: unknown): ScrapedEvent | undefined {
  const event = toRow(item)
  if (event === undefined) return undefined
  const venue = toRow(event['venue']) ?? {}
  const readLocation = (names: readonly string[]) => readMember(event, names, text) ?? readMember(venue, names, text)
  const localStart = readMember(event, ['localStart', 'startsAtLocal', 'datetime_local', 'starts_at_local'], text)
  const start = readMember(event, ['start', 'startTime', 'startsAt', 'starts_at', 'datetime', 'date'], text)
  if (localStart === null && start === null) return undefined
  return {
    localStart,
    start,
    venue: readMember(event, ['venue', 'venueName'], text) ?? readMember(venue, ['name'], text),
    city: readLocation(['city']),
    region: readLocation(['region', 'state']),
    country: readLocation(['country']),
    offerUrls: listUrls(event),
    soldOut: readMember(event, ['soldOut', 'sold_out'], z.boolean()),
    lineup: listNames(event['lineup']),
  }
}

function toTrack(item: unknown): ScrapedAlbum['tracks'][number] | undefined {
  const track = toRow(item)
  const trackId = track && readMember(track, ['id', 'trackId'], id)
  if (track === undefined || trackId === null || trackId === undefined) return undefined
  return {
    trackId,
    name: readMember(track, ['name', 'title'], text),
    playCount: readMember(track, ['playCount', 'playcount', 'plays', 'streams'], count),
    durationMs: readMember(track, ['durationMs', 'duration_ms'], z.number()),
  }
}

function listUrls(event: Row): string[] {
  const offers = toRows(event['offers']).flatMap((offer) => readMember(offer, ['url'], text) ?? [])
  return [...offers, ...[readMember(event, ['ticketUrl', 'ticket_url'], text)].filter((url) => url !== null)]
}

function listNames(lineup: unknown): string[] {
  return (Array.isArray(lineup) ? lineup : []).flatMap((entry: unknown) => {
    const artist = toRow(entry)
    return (artist === undefined ? text.safeParse(entry).data : readMember(artist, ['name'], text)) ?? []
  })
}
