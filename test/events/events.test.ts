import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LiveEvent } from '../../domain/events/live-events.ts'
import { makePeople } from '../artists/artists.ts'
import { createJobsApi } from '../measurements/jobs-api.ts'
import { createWorld, eventually, type Sent, type TestAccount, type World } from '../world/world.ts'

let world: World
let owner: TestAccount
let outsider: TestAccount
beforeAll(async () => {
  world = await createWorld({ settings: { EVENTS_ANSWER_SECONDS: '5' } })
  ;({ owner, outsider } = await makePeople(world))
})
afterAll(() => world.close())

const { readCredits } = createJobsApi(() => world)

const listEvents = (sent: Sent, body: object) =>
  world.request<{ events: LiveEvent[]; error: string }>('POST', '/api/research/events', { ...sent, body })

/** Creates an artist on the account's roster with this live-events profile. */
const makeArtistWithProfile = async ({ id, key }: TestAccount, profileId: string, name = 'Nova'): Promise<string> => {
  const artist = await world.makeArtist({ rosterOf: id })
  const patched = await world.request('PATCH', `/api/artists/${artist.id}`, {
    key,
    body: { profileUrls: { LIVE_EVENTS: `https://bandsintown.com/a/${profileId}-${name.toLowerCase()}` } },
  })
  expect([patched.status, patched.text]).toEqual([200, expect.any(String)])
  return artist.id
}

const today = new Date().toISOString().slice(0, 10)

describe('POST /api/research/events', () => {
  test('returns the events of the linked profile in order of day, and charges each call once', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const artist_id = await makeArtistWithProfile(payer, '4711')
    const [upcoming, past, all] = [
      await listEvents({ key: payer.key }, { artist_id }),
      await listEvents({ key: payer.key }, { artist_id, date: 'past' }),
      await listEvents({ key: payer.key }, { artist_id, date: 'all' }),
    ]
    expect([upcoming.status, past.status, all.status]).toEqual([200, 200, 200])
    expect(all.body.events).toEqual([...past.body.events, ...upcoming.body.events])
    expect(upcoming.body.events.length).toBeGreaterThan(0)
    const days = all.body.events.map(({ date }) => date)
    expect(days).toEqual(days.toSorted())
    expect(upcoming.body.events.every(({ date }) => date >= today)).toBe(true)
    expect(past.body.events.every(({ date }) => date < today)).toBe(true)
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 30_000 })
    const usage = await world.db`
      select model_id, source from usage_events where account_id = ${payer.id} and reference like 'events:%'`
    expect(usage).toHaveLength(3)
  })

  test.each([
    ['fails', '1', 502, null],
    ['has no free slot', '3', 503, '30'],
  ])('charges nothing if the provider %s', async (_, profileId, status, retryAfter) => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const response = await listEvents({ key: payer.key }, { artist_id: await makeArtistWithProfile(payer, profileId) })
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter])
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
  })

  test('charges nothing if the provider does not respond in time', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const response = await listEvents({ key: payer.key }, { artist_id: await makeArtistWithProfile(payer, '2') })
    expect(response).toMatchObject({ status: 502, body: { error: 'The events provider did not respond in time' } })
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
  })

  test('charges for an empty list, and omits rows without a day', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const response = await listEvents(
      { key: payer.key },
      { artist_id: await makeArtistWithProfile(payer, '4'), date: 'all' },
    )
    expect(response).toMatchObject({ status: 200, body: { events: [] } })
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 10_000 })
  })

  test('is charged later by a workflow if the ledger cannot be written after the provider has responded', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const artist_id = await makeArtistWithProfile(payer, '4712')
    await world.db`
      create function refuse_events() returns trigger language plpgsql as
      $$ begin if new.reference like 'events:%' then raise exception 'not now'; end if; return new; end $$`
    await world.db`create trigger refuse before insert on credit_ledger for each row execute function refuse_events()`
    const response = await listEvents({ key: payer.key }, { artist_id })
    expect(response.status).toBe(200)
    expect(await readCredits(payer)).toEqual({ held: 10_000, charged: 0 })
    await world.db`drop trigger refuse on credit_ledger`
    await eventually('the debit', async () => ((await readCredits(payer))?.['charged'] === 10_000 ? true : undefined))
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 10_000 })
  })

  test('charges once per idempotency key, even if the first response was not stored', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const artist_id = await makeArtistWithProfile(payer, '4714')
    const repeat = () => listEvents({ key: payer.key, headers: { 'idempotency-key': 'look-once' } }, { artist_id })
    await world.db`
      create function lose_answer() returns trigger language plpgsql as
      $$ begin if new.state = 'done' then raise exception 'not now'; end if; return new; end $$`
    await world.db`create trigger lose before update on idempotency_keys for each row execute function lose_answer()`
    const first = await repeat()
    expect(first.status).toBe(200)
    await eventually('the debit', async () => ((await readCredits(payer))?.['charged'] === 10_000 ? true : undefined))
    await world.db`drop trigger lose on idempotency_keys`
    const second = await repeat()
    expect([second.status, second.body]).toEqual([200, first.body])
    const third = await repeat()
    expect([third.headers.get('idempotency-replayed'), third.body]).toEqual(['true', first.body])
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 10_000 })
    const runs = await world.db`select 1 from embedded_scraper_runs where input->>'profileId' = '4714'`
    expect(runs).toHaveLength(1)
  })

  test('rejects unknown and inaccessible artists, artists without a profile, and accounts without enough credits', async () => {
    const artist_id = await makeArtistWithProfile(owner, '4713')
    const unknown = await listEvents({ key: owner.key }, { artist_id: '3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b' })
    const foreign = await listEvents({ key: outsider.key }, { artist_id })
    expect([unknown.status, unknown.body.error, foreign.status, foreign.body.error]).toEqual([
      404,
      'Artist not found',
      404,
      'Artist not found',
    ])
    const bare = await world.makeArtist({ rosterOf: owner.id })
    const missing = await listEvents({ key: owner.key }, { artist_id: bare.id })
    expect([missing.status, missing.body.error]).toEqual([404, expect.stringContaining('bandsintown.com/a/')])
    const poor = await world.makeAccount({ credits: 9999 })
    const short = await listEvents({ key: poor.key }, { artist_id: await makeArtistWithProfile(poor, '4714') })
    expect(short).toMatchObject({ status: 402, body: { required_credits: 10_000, remaining_credits: 9999 } })
    for (const body of [{}, { artist_id: 'x' }, { artist_id, date: 'soon' }])
      expect((await listEvents({ key: owner.key }, body)).status).toBe(400)
  })
})
