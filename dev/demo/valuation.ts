import { connectDemo, poll, printHeading, type Demo } from './client.ts'
import { print } from '../say.ts'
import { formatDollars, drawBand } from './band.ts'

type Valuation = {
  catalog: { id: string; name: string }
  band: { low: number; mid: number; high: number }
  songs_measured: number
}
type Measurement = { total_streams: number; measured_song_count: number; catalog_age_years: number }
type Progress = { albums: number; albumsMeasured: number; songsMapped: number }
type Run = { id: string; status: string; taskIdentifier: string; metadata: Progress | null }

const demoArtistId = '0LcJLqbBmaGUft1e9Mm8HV'

/** `npm run demo:valuation [artist id]`: a valuation with its stages, band and inputs, and a repeated call. */
export async function main([artistId = demoArtistId]: string[]): Promise<void> {
  const demo = await connectDemo()
  const balanceBefore = await readBalance(demo)
  printHeading(`Valuation of the artist ${artistId}`)
  const valuation = await runValuation(demo, artistId)
  const balance = await readBalance(demo)

  printHeading(
    `${valuation.catalog.name}: ${valuation.songs_measured} songs measured, for ${balanceBefore - balance} credits`,
  )
  for (const line of drawBand(valuation.band)) print(`  ${line}`)

  printHeading('Inputs of the formula')
  explain(await demo.json<Measurement>('GET', `/api/catalogs/${valuation.catalog.id}/measurements?limit=1`))

  printHeading('The same call again')
  const repeated = await runValuation(demo, artistId)
  const credits = balance - (await readBalance(demo))
  print(
    `  ${repeated.catalog.id === valuation.catalog.id ? 'the same catalog' : 'another catalog'}, for ${credits} credits`,
  )
}

async function readBalance({ json }: Demo): Promise<number> {
  const { accountId } = await json<{ accountId: string }>('GET', '/api/accounts/id')
  const credits = await json<{ remaining_credits: number }>('GET', `/api/accounts/${accountId}/credits`)
  return credits.remaining_credits
}

async function runValuation(demo: Demo, artistId: string): Promise<Valuation> {
  const earlierIds = new Set((await listMeasurements(demo)).map(({ id }) => id))
  const finished = new AbortController()
  const following = follow(demo, earlierIds, finished.signal)
  try {
    return await demo.json<Valuation>('POST', '/api/valuation', { streaming_artist_id: artistId })
  } finally {
    finished.abort()
    await following
  }
}

async function listMeasurements({ json }: Demo): Promise<Run[]> {
  const { runs } = await json<{ runs: Run[] }>('GET', '/api/tasks/runs?limit=20')
  return runs.filter(({ taskIdentifier }) => taskIdentifier === 'capture-play-counts')
}

/** Prints the stages of a new measurement until the valuation is finished. */
async function follow(demo: Demo, earlierIds: ReadonlySet<string>, finished: AbortSignal): Promise<void> {
  let lastLine = ''
  await poll(async () => {
    const isLast = finished.aborted
    const run = (await listMeasurements(demo)).find(({ id }) => !earlierIds.has(id))
    const line = run === undefined ? lastLine : describeProgress(run)
    if (line !== lastLine) print(`  ${line}`)
    lastLine = line
    return isLast || undefined
  })
  if (lastLine === '') print('  the last measurement is less than an hour old and is reused')
}

function describeProgress({ status, metadata }: Run): string {
  const { albums = 0, albumsMeasured = 0, songsMapped = 0 } = metadata ?? {}
  return `measurement ${status}: ${albumsMeasured} of ${albums} releases measured, ${songsMapped} songs mapped`
}

function explain({ total_streams: streams, measured_song_count: songs, catalog_age_years: years }: Measurement): void {
  const yearly = streams / years
  print(`  ${streams.toLocaleString('en-US')} streams of ${songs} songs, over ${years} years of releases`)
  print(
    `  ${Math.round(yearly).toLocaleString('en-US')} streams per year x 0.0035 USD = ${formatDollars(yearly * 0.0035)}`,
  )
  print('  x 1.25, 1.4 or 1.6 for all platforms, x 0.85 after distribution, x 0.75 after royalties')
  print('  x 10, 13 or 16 years that a buyer pays for. Details: content/docs/catalog-valuation.md')
}
