import { setTimeout as pause } from 'node:timers/promises'
import { connectDemo, heading } from './client.ts'
import { print } from '../say.ts'
import { dollars, drawBand } from './band.ts'

type Demo = Awaited<ReturnType<typeof connectDemo>>
type Valued = {
  catalog: { id: string; name: string }
  band: { low: number; mid: number; high: number }
  songs_measured: number
}
type Measured = { total_streams: number; measured_song_count: number; catalog_age_years: number }
type Progress = { albums: number; albumsMeasured: number; songsMapped: number }
type Run = { id: string; status: string; taskIdentifier: string; metadata: Progress | null }

const artistOfDemo = '0LcJLqbBmaGUft1e9Mm8HV'
const pollMs = 200

/** `npm run demo:valuation [artist id]`: a valuation by stage, its band, where it comes from, and the same call again. */
export async function main([artistId = artistOfDemo]: string[]): Promise<void> {
  const demo = await connectDemo()
  const before = await readBalance(demo)
  heading(`What may the artist ${artistId} be worth?`)
  const valued = await valueAloud(demo, artistId)
  const paid = await readBalance(demo)

  heading(`${valued.catalog.name}: ${valued.songs_measured} songs measured, for ${before - paid} credits`)
  for (const line of drawBand(valued.band)) print(`  ${line}`)

  heading('Where the numbers come from')
  explain(await demo.json<Measured>('GET', `/api/catalogs/${valued.catalog.id}/measurements?limit=1`))

  heading('The same call again')
  const again = await valueAloud(demo, artistId)
  const credits = paid - (await readBalance(demo))
  print(`  ${again.catalog.id === valued.catalog.id ? 'the same catalog' : 'another catalog'}, for ${credits} credits`)
}

async function readBalance({ json }: Demo): Promise<number> {
  const { accountId } = await json<{ accountId: string }>('GET', '/api/accounts/id')
  const credits = await json<{ remaining_credits: number }>('GET', `/api/accounts/${accountId}/credits`)
  return credits.remaining_credits
}

async function valueAloud(demo: Demo, artistId: string): Promise<Valued> {
  const known = new Set((await listMeasurements(demo)).map(({ id }) => id))
  const answer = new AbortController()
  const following = follow(demo, known, answer.signal)
  try {
    return await value(demo, artistId)
  } finally {
    answer.abort()
    await following
  }
}

async function listMeasurements({ json }: Demo): Promise<Run[]> {
  const { runs } = await json<{ runs: Run[] }>('GET', '/api/tasks/runs?limit=20')
  return runs.filter(({ taskIdentifier }) => taskIdentifier === 'capture-play-counts')
}

/** Shows each stage of a measurement that was not there before, until the valuation has its answer. */
async function follow(demo: Demo, known: ReadonlySet<string>, answered: AbortSignal): Promise<void> {
  let shown = ''
  for (let last = false; !last;) {
    last = answered.aborted
    const run = (await listMeasurements(demo)).find(({ id }) => !known.has(id))
    const line = run === undefined ? shown : describeProgress(run)
    if (line !== shown) print(`  ${line}`)
    shown = line
    if (!last) await pause(pollMs)
  }
  if (shown === '') print('  a measurement that is younger than an hour was there: nothing had to be measured')
}

function describeProgress({ status, metadata }: Run): string {
  const { albums = 0, albumsMeasured = 0, songsMapped = 0 } = metadata ?? {}
  return `measurement ${status}: ${albumsMeasured} of ${albums} releases measured, ${songsMapped} songs mapped`
}

function value({ json }: Demo, artistId: string) {
  return json<Valued>('POST', '/api/valuation', { streaming_artist_id: artistId })
}

function explain({ total_streams: streams, measured_song_count: songs, catalog_age_years: years }: Measured): void {
  const yearly = streams / years
  print(`  ${streams.toLocaleString('en-US')} streams of ${songs} songs, over ${years} years of releases`)
  print(`  ${Math.round(yearly).toLocaleString('en-US')} streams a year x 0.0035 USD = ${dollars(yearly * 0.0035)}`)
  print('  x 1.25, 1.4 or 1.6 for all platforms, x 0.85 after distribution, x 0.75 after royalties')
  print('  x 10, 13 or 16 years that a buyer pays. What that does not print: content/docs/catalog-valuation.md')
}
