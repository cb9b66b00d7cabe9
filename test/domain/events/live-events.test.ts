import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { liveEvents, liveEventSchema, type ScrapedEvent } from '../../../domain/events/live-events.ts'

const now = new Date('2026-08-21T23:30:00Z')
const all = { artist: 'Nova Quartet', dates: 'all', now } as const

const row = (more: Partial<ScrapedEvent> = {}): ScrapedEvent => ({
  localStart: '2026-09-01T20:00:00',
  start: null,
  venue: 'Harbour Hall',
  city: 'Oslo',
  region: null,
  country: 'Norway',
  offerUrls: [],
  soldOut: null,
  lineup: [],
  ...more,
})

const formatEvent = (more: Partial<ScrapedEvent>) => liveEvents([row(more)], all)[0]

describe('a live event', () => {
  it.each([
    ['2026-09-01T01:00:00', '2026-08-31T23:00:00Z', '2026-09-01'],
    [null, '2026-08-31T23:00:00Z', '2026-08-31'],
    ['', '2026-08-31', '2026-08-31'],
    ['2026-02-30T20:00:00', '2026-03-02T19:00:00Z', '2026-03-02'],
    ['2026-02-30', null, undefined],
    ['soon', 'later', undefined],
    [null, null, undefined],
  ])('with the local start %j and the start %j has the date %j', (localStart, start, date) => {
    expect(formatEvent({ localStart, start })?.date).toBe(date)
  })

  it('shows missing fields as empty, and a missing region or ticket as null', () => {
    const bare = { venue: null, city: null, country: null, region: '', soldOut: null }
    expect(formatEvent(bare)).toEqual({
      date: '2026-09-01',
      venue: '',
      city: '',
      region: null,
      country: '',
      ticket_url: null,
      sold_out: false,
      lineup: ['Nova Quartet'],
    })
    expect(formatEvent({ region: 'NY', soldOut: true })).toMatchObject({ region: 'NY', sold_out: true })
  })

  it('links to the first ticket offer with a web address', () => {
    const offerUrls = ['javascript:alert(1)', 'ftp://t.example', '', `https://t.example/${'x'.repeat(2048)}`]
    expect(formatEvent({ offerUrls })?.ticket_url).toBeNull()
    expect(formatEvent({ offerUrls: [...offerUrls, 'http://t.example/1', 'https://t.example/2'] })?.ticket_url).toBe(
      'http://t.example/1',
    )
  })

  it.each([
    [[], ['Nova Quartet']],
    [['Other'], ['Nova Quartet', 'Other']],
    [
      ['Other', ' nova quartet', 'Third', 'Nova Quartet', ' '],
      [' nova quartet', 'Other', 'Third'],
    ],
  ])('with the scraped lineup %j has the lineup %j, in which the artist is first', (lineup, expected) =>
    expect(formatEvent({ lineup })?.lineup).toEqual(expected),
  )

  it('keeps the scraped lineup if the name of the artist is unknown', () => {
    expect(liveEvents([row({ lineup: ['B', 'A'] })], { ...all, artist: null })[0]?.lineup).toEqual(['B', 'A'])
  })
})

const rowAt = (localStart: string, venue = 'V') => row({ localStart, venue })

describe('the list of live events', () => {
  const rows = [
    rowAt('2026-08-22'),
    rowAt('2026-08-20'),
    rowAt('2026-08-21', 'Z'),
    rowAt('2026-08-21', 'A'),
    rowAt('nonsense'),
  ]
  const listEvents = (dates: 'upcoming' | 'past' | 'all') =>
    liveEvents(rows, { ...all, dates }).map(({ date, venue }) => `${date} ${venue}`)

  it('is ordered by day and venue, and upcoming events include today', () => {
    expect(listEvents('all')).toEqual(['2026-08-20 V', '2026-08-21 A', '2026-08-21 Z', '2026-08-22 V'])
    expect(listEvents('upcoming')).toEqual(['2026-08-21 A', '2026-08-21 Z', '2026-08-22 V'])
    expect(listEvents('past')).toEqual(['2026-08-20 V'])
  })

  it('contains only valid events for any output of the scraper', () => {
    const text = fc.option(fc.string({ maxLength: 30 }))
    const scraped: fc.Arbitrary<ScrapedEvent> = fc.record({
      localStart: fc.option(fc.oneof(fc.string(), fc.constantFrom('2026-08-21', '2020-01-01T00:00:00'))),
      start: text,
      venue: text,
      city: text,
      region: text,
      country: text,
      offerUrls: fc.array(fc.oneof(fc.webUrl(), fc.string()), { maxLength: 3 }),
      soldOut: fc.option(fc.boolean()),
      lineup: fc.array(fc.string(), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(fc.array(scraped), (rows) => {
        const [upcoming, past, everyEvent] = (['upcoming', 'past', 'all'] as const).map((dates) =>
          liveEvents(rows, { ...all, dates }),
        )
        expect([...(past ?? []), ...(upcoming ?? [])]).toEqual(everyEvent)
        for (const event of everyEvent ?? []) {
          expect(liveEventSchema.safeParse(event).success).toBe(true)
          expect(event.lineup[0]?.trim().toLowerCase()).toBe('nova quartet')
        }
      }),
    )
  })
})
