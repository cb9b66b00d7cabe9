import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { countedTracks, toFoundSongs, songMeasurements } from '../../domain/measurements/capture.ts'
import { playCountMetric, streamingPlatform } from '../../domain/measurements/scope.ts'
import { generateAlbum } from '../../providers/scraper/embedded/albums.ts'
import { createTracks } from '../../providers/streaming/embedded/discography.ts'
import { compare, measureRatio, describeMedians, type Bench } from '../measure.ts'
import { sendRequest } from '../stack/send-request.ts'
import type { Account, Stack } from '../stack/stack.ts'

const albumCount = 500
const pollIntervalMs = 25

type Job = { id: string; state: string; measured_song_count: number }

export const captures: Bench = {
  name: 'capture',
  settings: { CAPTURE_MONTHLY_BUDGET_USD: '100000' },
  run: async (stack, { quick }) => {
    const db = connect({ url: stack.databaseUrl, max: 1, name: 'bench capture' })
    const account = await stack.createAccount()
    await stack.db`select credit_account(${account.id}, 100000000000, 'bench', 'grant', null, 'bench')`
    let round = 0
    const rounds = await compare({
      rounds: quick ? 2 : 7,
      warmUp: 1,
      ours: () => time(() => capture(stack, account, createAlbumIds(`ours${round++}`))),
      control: () =>
        time(async () => {
          for (const albumIds of splitIntoChunks(createAlbumIds(`bare${round++}`))) await writeRows(db, albumIds)
        }),
    })
    await db.end({ timeout: 5 })
    return [
      {
        name: 'capture of 500 albums',
        ...measureRatio(rounds),
        unit: 'x',
        aim: { atMost: 2 },
        how: 'time from POST /api/research/measurement-jobs until the job is done, for about 5,000 songs without stored data, in five runs of the embedded scraper, which responds immediately; relative to one client that writes the same rows in five transactions of six statements',
        detail: describeMedians(rounds, 'rows'),
      },
    ]
  },
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

async function capture(stack: Stack, account: Account, albumIds: string[]): Promise<Job> {
  const path = '/api/research/measurement-jobs'
  const { id } = await sendRequest<{ id: string }>(stack, account, path, {
    scope: { album_ids: albumIds },
    source: 'current',
  })
  for (;;) {
    const { job } = await sendRequest<{ job: Job }>(stack, account, `${path}/${id}`)
    if (job.state === 'failed') throw new Error('a capture failed')
    if (job.state === 'done') return job
    await pause(pollIntervalMs)
  }
}

/** Returns the first albums of artists that no other round uses: about ten songs each, none of them stored. */
function createAlbumIds(round: string): string[] {
  return Array.from({ length: albumCount }, (_, index) => `a001${round}x${index}x`)
}

function splitIntoChunks(albumIds: string[]): string[][] {
  return Array.from({ length: albumCount / 100 }, (_, index) => albumIds.slice(index * 100, (index + 1) * 100))
}

/** Writes the same rows, chunk by chunk, with one statement per table. */
async function writeRows(db: Pool, albumIds: string[]): Promise<number> {
  const { songs, measured } = createRows(albumIds)
  const artists = new Map(songs.flatMap((song) => song.artists.map((artist) => [artist.id, artist.name] as const)))
  const links = songs.flatMap((song) => song.artists.map(({ id }) => ({ isrc: song.isrc, id })))
  await db.begin(async (tx) => {
    await tx`
      insert into songs (isrc, name, album, artwork_url)
      select * from unnest(${songs.map(({ isrc }) => isrc)}::text[], ${songs.map(({ name }) => name)}::text[],
        ${songs.map(({ album }) => album)}::text[], ${songs.map(({ artworkUrl }) => artworkUrl)}::text[])
      on conflict do nothing`
    await tx`
      with given as (
        select 'bare.example/' || artist as url, name, gen_random_uuid() as account
        from unnest(${[...artists.keys()]}::text[], ${[...artists.values()]}::text[]) as given (artist, name)
        where not exists (select 1 from socials where profile_url = 'bare.example/' || artist)
      ), social as (
        insert into socials (profile_url, type) select url, 'STREAMING' from given returning id, profile_url
      ), account as (insert into accounts (id, kind, name) select account, 'artist', name from given returning id)
      insert into account_socials (account_id, social_id)
      select account.id, social.id from given join account on account.id = given.account
      join social on social.profile_url = given.url`
    await tx`
      insert into song_artists (isrc, artist_id)
      select isrc, account_id from unnest(${links.map(({ isrc }) => isrc)}::text[], ${links.map(({ id }) => id)}::text[])
        as link (isrc, artist) join socials on profile_url = 'bare.example/' || artist
      join account_socials on social_id = socials.id on conflict do nothing`
    await tx`
      insert into song_identifiers (isrc, platform, identifier_type, value)
      select isrc, ${streamingPlatform}, kind, value from unnest(${songs.map(({ isrc }) => isrc)}::text[],
        ${songs.map(({ trackId }) => trackId)}::text[], ${songs.map(({ albumId }) => albumId)}::text[])
        as given (isrc, track, album)
      cross join lateral (values ('track_id', track), ('album_id', album)) as id (kind, value) on conflict do nothing`
    for (const table of ['song_measurements', 'latest_measurements'])
      await tx`
        insert into ${tx(table)} (isrc, platform, metric, value, captured_at
          ${table === 'song_measurements' ? tx`, data_source` : tx``})
        select isrc, ${streamingPlatform}, ${playCountMetric}, value, now()
          ${table === 'song_measurements' ? tx`, 'bare'` : tx``}
        from unnest(${measured.map(({ isrc }) => isrc)}::text[], ${measured.map(({ playCount }) => playCount)}::bigint[])
          as measured (isrc, value) on conflict do nothing`
  })
  return measured.length
}

/** Returns the songs and measurements that the scraper and the platform provide for the albums. */
function createRows(albumIds: string[]) {
  const counts = countedTracks(albumIds.map((id) => generateAlbum(id, Date.now())))
  const songs = toFoundSongs(albumIds.flatMap(createTracks))
  return { songs, measured: songMeasurements(counts, new Map(), songs) }
}
