import { ensurePerson } from '../../db/accounts/people.ts'
import { hashKey, insertKey, newRawKey } from '../../db/accounts/keys.ts'
import { migrate } from '../../db/migrate.ts'
import { grantApplication } from '../../db/postgres/application-role.ts'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { playCountMetric, streamingPlatform } from '../../domain/measurements/scope.ts'
import { compare, measureRatio, describeMedians, type Bench, type Figure, type Row } from '../measure.ts'
import type { Stack } from '../stack/stack.ts'

const catalogCount = 200
const largestSongs = 5000
const otherSongs = 25
const songCount = largestSongs + (catalogCount - 1) * otherSongs
const page = 50

/** An API and its database with a given number of measurements. */
type Side = { db: Pool; baseUrl: string; key: string; accountId: string; largestId: string }

/** Handwritten SQL that reads the same pages from the same tables. */
const handwritten = {
  measurements: ({ db, largestId }: Side) => db`
    with measured as materialized (
      select s.isrc, value, m.captured_at from catalog_songs s join latest_measurements m on m.isrc = s.isrc
      where catalog_id = ${largestId} and platform = ${streamingPlatform} and metric = ${playCountMetric}
    ), page as (select * from measured order by value desc, isrc limit ${page})
    select page.*, songs.name, (select count(*) from measured), (select sum(value) from measured)
    from page join songs using (isrc) order by value desc, isrc`,
  catalogs: ({ db, accountId }: Side) => db`
    select id, c.name, c.created_at, c.updated_at, count(s.isrc), count(value), sum(value)
    from (
      select * from catalogs where id in (select catalog_id from account_catalogs where account_id = ${accountId})
      order by created_at desc, id limit ${page}
    ) c left join catalog_songs s on s.catalog_id = id
    left join latest_measurements m on m.isrc = s.isrc and platform = ${streamingPlatform} and metric = ${playCountMetric}
    group by 1, 2, 3, 4 order by c.created_at desc, id`,
}

type Read = keyof typeof handwritten

type Comparison = { name: string; how: string; control: string; atMost: number }

const titles: Record<Read, string> = {
  measurements: 'GET measurements of 5,000 songs',
  catalogs: `GET ${page} of 200 catalogs with their value`,
}

export const catalogs: Bench = {
  name: 'catalogs',
  run: async (stack, { quick }) => {
    const large = await openSide(stack, 'catalogs_large', 1_000_000)
    const small = await openSide(stack, 'catalogs_small', 10_000)
    const rows: Row[] = []
    for (const read of ['measurements', 'catalogs'] as const) {
      rows.push(
        await measure(
          {
            name: titles[read],
            how: '1,000,000 measurement rows and 200 catalogs of one account; the whole request with an API key, relative to one handwritten statement that reads the same page and sums on a separate connection',
            control: 'SQL',
            atMost: 1.3,
          },
          quick,
          { ours: () => get(read, large), control: () => handwritten[read](large) },
        ),
        await measure(
          {
            name: `${titles[read]}: 1,000,000 rows relative to 10,000`,
            how: 'the same request for the same catalogs, on a database with a hundred times as many measurements',
            control: '10,000 rows',
            atMost: 1.3,
          },
          quick,
          { ours: () => get(read, large), control: () => get(read, small) },
        ),
      )
    }
    await Promise.all([large, small].map(({ db }) => db.end({ timeout: 5 })))
    return rows
  },
}

async function openSide(stack: Stack, name: string, measurements: number): Promise<Side> {
  await stack.db`create database ${stack.db(name)}`
  const [ownerUrl, applicationUrl] = [stack.databaseUrl, stack.parts.postgres.applicationUrl].map((text) => {
    const url = new URL(text)
    url.pathname = name
    return url.href
  }) as [string, string]
  const db = connect({ url: ownerUrl, max: 1, name: 'bench catalogs', statementTimeoutMs: 600_000 })
  await migrate(db)
  await grantApplication(db, { ownerUrl, applicationUrl })
  const { accountId, key } = await createReader(stack, db)
  const largestId = await fillDatabase(db, accountId, measurements)
  const { baseUrl } = await stack.startApi({ DATABASE_URL: applicationUrl })
  return { db, baseUrl, key, accountId, largestId }
}

async function createReader({ config }: Stack, db: Pool): Promise<{ accountId: string; key: string }> {
  const { accountId } = await ensurePerson(db, 'reader@example.com', 0)
  const key = newRawKey()
  await insertKey(db, { accountId, name: 'bench', keyHash: hashKey(config.SERVER_SECRET ?? '', key) })
  return { accountId, key }
}

/** Fills the database: every song is measured equally often. Returns the id of the largest catalog. */
async function fillDatabase(db: Pool, accountId: string, measurements: number): Promise<string> {
  await db`set statement_timeout = 0`
  await db`
    insert into songs (isrc, name, album)
    select 'QZ' || lpad(at::text, 10, '0'), 'Song ' || at, 'Album ' || at / 12 from generate_series(1, ${songCount}::int) at`
  await db`
    with made as (
      insert into catalogs (name, created_at)
      select 'Catalog ' || at, now() - at * interval '1 minute' from generate_series(1, ${catalogCount}::int) at
      returning id, substr(name, 9)::int as place
    ), owned as (
      insert into account_catalogs (account_id, catalog_id) select ${accountId}, id from made
    )
    insert into catalog_songs (catalog_id, isrc)
    select id, 'QZ' || lpad(at::text, 10, '0') from made cross join lateral generate_series(
      case when place = 1 then 1 else ${largestSongs}::int + (place - 2) * ${otherSongs}::int + 1 end,
      ${largestSongs}::int + (place - 1) * ${otherSongs}::int) at`
  await db`
    insert into song_measurements (isrc, platform, metric, value, captured_at, data_source)
    select isrc, ${streamingPlatform}, ${playCountMetric}, hashtextextended(isrc, 0) & 16777215, now() - day * interval '1 day',
      'bench'
    from generate_series(${Math.max(1, Math.round(measurements / songCount))}::int, 1, -1) day cross join songs`
  await db`
    insert into latest_measurements (isrc, platform, metric, value, captured_at)
    select distinct on (isrc, platform, metric) isrc, platform, metric, value, captured_at from song_measurements
    order by isrc, platform, metric, captured_at desc`
  await db`vacuum analyze`
  const [largest] = await db<{ id: string }[]>`
    select catalog_id as id from catalog_songs group by 1 order by count(*) desc limit 1`
  return largest?.id ?? ''
}

async function measure(
  { name, how, control, atMost }: Comparison,
  quick: boolean,
  sides: { ours: () => Promise<unknown>; control: () => Promise<unknown> },
): Promise<Row> {
  const count = quick ? 5 : 20
  const rounds = await compare({
    rounds: quick ? 3 : 11,
    warmUp: 2,
    ours: () => time(count, sides.ours),
    control: () => time(count, sides.control),
  })
  const ratio: Figure = measureRatio(rounds)
  return { name, ...ratio, unit: 'x', aim: { atMost }, how, detail: describeMedians(rounds, control) }
}

/** Returns the mean milliseconds of one of `count` consecutive calls. */
async function time(count: number, work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  for (let index = 0; index < count; index++) await work()
  return (performance.now() - begin) / count
}

async function get(read: Read, side: Side): Promise<void> {
  const response = await fetch(side.baseUrl + buildPath(read, side), { headers: { 'x-api-key': side.key } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${read}: ${response.status} ${text}`)
}

function buildPath(read: Read, { largestId }: Side): string {
  return read === 'catalogs' ? `/api/catalogs?limit=${page}` : `/api/catalogs/${largestId}/measurements?limit=${page}`
}
