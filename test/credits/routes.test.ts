import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { debitAccount, holdCredits, refundDebit } from '../../db/credits/ledger.ts'
import { grant, parseGrant } from '../../dev/stack/granting.ts'
import { checkBalances } from '../../workers/sweeps/credits.ts'
import { issueBearer } from '../world/bearer.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { subscribe } from './money.ts'

let world: World
let account: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { REQUIRE_CREDITS: 'true' } })
  account = await world.makeAccount({ credits: 1_200_000 })
})
afterAll(() => world.close())

const issueToken = ({ email }: TestAccount): Promise<string> => issueBearer(world, email)
const credits = (id: string, key = account.key) => world.request('GET', `/api/accounts/${id}/credits`, { key })
const listLedger = (id: string) => world.db`select kind, amount from credit_ledger where account_id = ${id} order by id`

describe('GET /api/accounts/{id}/credits', () => {
  test('shows the balance, active holds and the plan', async () => {
    const { id, key } = await world.makeAccount({ credits: 1_200_000 })
    await world.db.begin((tx) =>
      holdCredits(tx, {
        accountId: id,
        amount: 200_000,
        reference: `work:${id}`,
        lifetimeMs: 60_000,
        plans: world.config.plans,
      }),
    )
    const { status, body } = await credits(id.toUpperCase(), key)
    expect([status, body]).toEqual([
      200,
      {
        account_id: id,
        remaining_credits: 1_200_000,
        reserved_credits: 200_000,
        total_credits: 3_330_000,
        used_credits: 2_130_000,
        plan: 'free',
        is_pro: false,
        timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      },
    ])
  })

  test('includes a due refill, and writes nothing', async () => {
    const { id, key } = await world.makeAccount({ credits: 1_200_000 })
    await world.db`update credit_balances set refilled_at = '2024-05-06T07:08:09.010Z' where account_id = ${id}`
    expect((await credits(id, key)).body).toMatchObject({
      remaining_credits: 3_330_000,
      used_credits: 0,
      timestamp: '2024-05-06T07:08:09.010Z',
    })
    expect(await listLedger(id)).toEqual([{ kind: 'seed', amount: 1_200_000 }])
    expect((await credits(id, key)).body).toMatchObject({ timestamp: '2024-05-06T07:08:09.010Z' })
  })

  test('shows zeros and the plan of an organization to its members, including with a bearer token', async () => {
    const { id } = await world.makeOrganization({ members: [account.id] })
    const zeros = { remaining_credits: 0, reserved_credits: 0, total_credits: 0, used_credits: 0, timestamp: null }
    expect((await credits(id)).body).toMatchObject({ ...zeros, plan: 'free' })
    await subscribe(world.db, id, { plan: 'pro' })
    const bearer = await issueToken(account)
    const shown = await world.request('GET', `/api/accounts/${id}/credits`, { bearer })
    expect([shown.status, shown.body]).toMatchObject([
      200,
      { remaining_credits: 300_000_000, plan: 'pro', is_pro: true },
    ])
    expect((await credits(account.id)).body).toMatchObject({ plan: 'free' })
  })

  test('returns the same response for other accounts, unknown ids and artists, and 400 for invalid ids', async () => {
    const outsider = await world.makeAccount()
    const { id: artist } = await world.makeArtist({ rosterOf: account.id })
    for (const path of ['credits', 'usage'])
      for (const id of [outsider.id, randomUUID(), artist])
        expect(await world.request('GET', `/api/accounts/${id}/${path}`, { key: account.key })).toMatchObject({
          status: 403,
          body: { error: 'Access denied to this account' },
        })
    expect(await credits('me')).toMatchObject({ status: 400, body: { error: 'id must be a UUID', missing_fields: [] } })
    expect(await world.request('GET', `/api/accounts/${account.id}/credits`)).toMatchObject({ status: 401 })
    expect((await world.request('POST', `/api/accounts/${account.id}/credits`, { key: account.key })).status).toBe(405)
  })
})

const start = ({ key }: TestAccount) => world.request('POST', '/api/chat/runs', { key, body: { prompt: 'hello' } })

describe('a deployment that requires credits', () => {
  test('rejects a turn without free credits, and writes nothing', async () => {
    const payer = await world.makeAccount({ credits: 100 })
    const held = { accountId: payer.id, amount: 100, reference: `work:${payer.id}`, lifetimeMs: 60_000 }
    await world.db.begin((tx) => holdCredits(tx, { ...held, plans: world.config.plans }))
    expect(await start(payer)).toMatchObject({
      status: 402,
      body: {
        error: 'insufficient_credits',
        remaining_credits: 0,
        required_credits: 1,
        billingUrl: world.config.billingUrl,
      },
    })
    expect(await world.db`select 1 from sessions where account_id = ${payer.id}`).toHaveLength(0)
    expect(await listLedger(payer.id)).toEqual([{ kind: 'seed', amount: 100 }])
  })

  test('books a due refill', async () => {
    const payer = await world.makeAccount({ credits: 0 })
    expect((await start(payer)).status).toBe(402)
    await world.db`update credit_balances set refilled_at = now() - interval '32 days' where account_id = ${payer.id}`
    const { status, body } = await start(payer)
    expect(status).toBe(202)
    expect(await listLedger(payer.id)).toEqual([{ kind: 'refill', amount: 3_330_000 }])
    await world.db`update runs set status = 'cancelled', ended_at = now() where id = ${String(body['runId'])}`
  })
})

describe('npm run grant', () => {
  test('books once per id, for an account id or an address, with actor and reason', async () => {
    const friend = await world.makeAccount({ credits: 0 })
    const id = randomUUID()
    const parsedGrant = parseGrant([
      friend.email.toUpperCase(),
      '250000',
      '--reason',
      'a bug',
      '--actor',
      account.id,
      '--id',
      id,
    ])
    expect(await grant(world.db, parsedGrant)).toContain(`0.250000 USD) to ${friend.id} as grant:${id}`)
    expect(await grant(world.db, { ...parsedGrant, account: friend.id })).toContain('already booked')
    expect(
      await world.db`select reference, kind, amount, actor, reason from credit_ledger where account_id = ${friend.id}`,
    ).toEqual([{ reference: `grant:${id}`, kind: 'grant', amount: 250_000, actor: account.id, reason: 'a bug' }])
  })

  test.each([
    [[]],
    [['a@example.com', '5']],
    [['a@example.com', '0', '--reason', 'x']],
    [['a@example.com', '1.5', '--reason', 'x']],
    [['a@example.com', '5', '--reason', 'x', '--id', 'x']],
    [['a@example.com', '5', '--because', 'x']],
  ])('rejects %j', (args) => expect(() => parseGrant(args)).toThrow('<account id or email> <credits>'))

  test('rejects an unknown account', async () => {
    const parsedGrant = parseGrant(['absent@example.com', '5', '--reason', 'x'])
    await expect(grant(world.db, parsedGrant)).rejects.toThrow(
      'No person or organization has the id or email address absent@example.com.',
    )
  })

  test('is part of the build and reads the database URL from the environment', async () => {
    const { id } = await world.makeAccount({ credits: 0 })
    const command = join(dirname(inject('built').server), 'grant.js')
    const run = (DATABASE_URL: string) =>
      promisify(execFile)(process.execPath, [command, id, '5', '--reason', 'x'], {
        env: { DATABASE_URL },
      })
    expect((await run(world.applicationUrl)).stdout).toContain(`Granted 5 credits (0.000005 USD) to ${id} as grant:`)
    expect(await listLedger(id)).toEqual([{ kind: 'grant', amount: 5 }])
    await expect(run('')).rejects.toThrow('Set DATABASE_URL to the database with the account.')
  })
})

test('the ledger lists each booking once, newest first and page by page, with the paid work', async () => {
  const { id, key } = await world.makeAccount({ credits: 1000 })
  const usage = { source: 'api' as const, modelId: 'local/assistant', runId: 'wrun_1' }
  await world.db.begin(async (tx) => {
    await debitAccount(tx, { accountId: id, amount: 300, reference: `turn:${id}`, usage })
    await refundDebit(tx, { accountId: id, reference: `turn:${id}`, reason: 'it failed' })
  })
  type Page = { entries: { kind: string }[]; next_cursor: string | null }
  const list = (query: string, readerKey = key) =>
    world.request<Page>('GET', `/api/accounts/${id}/ledger?${query}`, { key: readerKey })
  const first = (await list('limit=2')).body
  const second = (await list(`limit=2&cursor=${first.next_cursor}`)).body
  const paid = { source: 'api', model_id: 'local/assistant', run_id: 'wrun_1' }
  expect([...first.entries, ...second.entries]).toMatchObject([
    { kind: 'refund', credits: 300, balance_after: 1000, reference: `refund:turn:${id}`, reason: 'it failed', ...paid },
    { kind: 'charge', credits: -300, usd: '-0.000300', balance_after: 700, reference: `turn:${id}`, ...paid },
    { kind: 'seed', credits: 1000, balance_after: 1000, source: null, model_id: null, run_id: null },
  ])
  expect(second.next_cursor).toBeNull()
  expect((await list('', account.key)).status).toBe(403)
})

test('the daily check reports a wrong balance once a day, in the log and as a metric', async () => {
  const { id } = await world.makeAccount({ credits: 10 })
  await world.db`update credit_balances set remaining_credits = 11 where account_id = ${id}`
  const logged: unknown[] = []
  const log = world.deps.log.child({}, { level: 'silent' })
  log.error = (facts: unknown) => void logged.push(facts)
  await checkBalances({ db: world.db, log })
  await checkBalances({ db: world.db, log })
  expect(logged).toEqual([{ accountId: id, balance: 11, ledger: 10 }])
  await eventually('the metric', async () =>
    (await (await fetch(world.metricsUrl)).text()).includes('\nbackline_ledger_differences 1\n') ? true : undefined,
  )
  await world.db`update credit_balances set remaining_credits = 10 where account_id = ${id}`
  await world.db`update ledger_checks set finished_at = null, started_at = now() - interval '2 hours'`
  await checkBalances({ db: world.db, log })
  const [check] = await world.db`select differences, finished_at is not null as finished from ledger_checks`
  expect(check).toEqual({ differences: 0, finished: true })
})
