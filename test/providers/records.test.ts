import { describe, expect, test } from 'vitest'
import { accountList, authConfigList, toolList } from '../../providers/connectors/composio/answers.ts'
import { onSkippedRecords, type SkippedRecords } from '../../providers/records.ts'
import { toPage, toResult, toStatus } from '../../providers/render/fal/answers.ts'
import {
  albumsResponse,
  artistResponse,
  releasesResponse,
  searchResponse,
  tracksResponse,
} from '../../providers/streaming/spotify/answers.ts'

const track = {
  id: 't1',
  name: 'T',
  album: { id: 'a1', name: 'A', images: [null] },
  artists: [null, { id: 'b', name: 'B' }],
}
const release = { id: 'a1', name: 'A', album_type: 'album' }
const account = { id: 'c1', user_id: 'u', status: 'ACTIVE', toolkit: { slug: 'mail' } }
const tool = { slug: 'SEND', name: 'Send', input_parameters: {}, toolkit: { slug: 'mail' } }
const badRecords = [null, 7, {}]

/** The name of a vendor list, a function that reads the list, and a valid record. */
const lists: [string, (records: unknown[]) => unknown[], unknown][] = [
  ['releases', (items) => releasesResponse.parse({ items, limit: 50 }).items, release],
  ['tracks', (tracks) => tracksResponse.parse({ tracks }).filter((item) => item !== null), track],
  ['albums', (albums) => albumsResponse.parse({ albums }).filter((item) => item !== null), release],
  ['search results', (items) => searchResponse.parse({ tracks: { items } }), track],
  ['connections', (items) => accountList.parse({ items }).items, account],
  ['tools', (items) => toolList.parse({ items }).items, tool],
  ['auth configs', (items) => authConfigList.parse({ items }).items, { id: 'x', status: 'ENABLED' }],
  ['render requests', (items) => toPage({ items }).items, { request_id: 'r1' }],
  ['render logs', (logs) => toStatus({ status: 'IN_PROGRESS', logs }).logs, { message: 'done', timestamp: null }],
]

const collectSkipped = (read: () => void): SkippedRecords[] => {
  const skipped: SkippedRecords[] = []
  const stop = onSkippedRecords((record) => void skipped.push(record))
  try {
    read()
  } finally {
    stop()
  }
  return skipped
}

describe('a bad record in a vendor list', () => {
  test.each(lists)('of %s is omitted and reported, and other records are returned', (_, read, validRecord) => {
    let readRecords: unknown[] = []
    const skipped = collectSkipped(() => void (readRecords = read([...badRecords, validRecord])))
    expect(readRecords).toHaveLength(1)
    expect(skipped.at(-1)).toMatchObject({ total: 4, firstError: expect.any(String) })
    expect(skipped.at(-1)?.skipped).toBeGreaterThanOrEqual(2)
  })

  test('that is nested in a valid record is omitted, and the rest of the valid record is kept', () => {
    const [readTrack] = searchResponse.parse({ tracks: { items: [track] } })
    expect(readTrack).toMatchObject({ artworkUrl: null, artists: [{ id: 'b', name: 'B' }] })
    const artist = { name: 'A', images: [null], external_urls: { spotify: 'https://open.spotify.com/artist/a' } }
    expect(artistResponse.parse(artist)).toMatchObject({ imageUrl: null })
    expect(toResult({ audio: null, video: { url: 'https://v.example/a.mp4' } }).url).toBe('https://v.example/a.mp4')
  })

  test('is reported without its values', () => {
    const [skipped] = collectSkipped(() => accountList.parse({ items: [{ ...account, user_id: ['secret'] }] }))
    expect(skipped).toEqual({ list: 'Composio accounts', skipped: 1, total: 1, firstError: 'user_id: invalid_type' })
  })
})
