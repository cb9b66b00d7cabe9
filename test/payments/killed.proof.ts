import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSingle, type Pool } from '../../db/postgres/client.ts'
import { debitAccount } from '../../db/credits/ledger.ts'
import { untilSessionsEnded } from '../crash/dead-sessions.ts'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createCardHolder } from './scenarios.ts'
import { topUpAccount } from '../../workflows/payments/messages.ts'

/** Advisory locks at which a worker waits: before the charge of the card, or before the record of the charge. */
const gates = { charged: 4242, recorded: 4243 }
type Gate = keyof typeof gates
const waitingQueries: Record<Gate, string> = {
  charged: 'insert into embedded_payments',
  recorded: 'payment_id = coalesce',
}

const amountCents = 2000
const credits = 20_000_000

let world: World
let lockHolder: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false })
  lockHolder = connectSingle({ url: world.databaseUrl, name: 'test gate' })
  for (const gate of Object.values(gates))
    await world.db.unsafe(`
      create function wait_at_gate_${gate}() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(${gate});
        return new;
      end $$`)
  await world.db.unsafe(`
    create trigger wait_at_gate before insert on embedded_payments
    for each row execute function wait_at_gate_${gates.charged}()`)
  // The worker and the webhook both wait here before they record the payment, until the worker has been killed.
  await world.db.unsafe(`
    create trigger wait_at_gate before update on payment_intents
    for each row when (new.payment_id is not null) execute function wait_at_gate_${gates.recorded}()`)
})
const closeGate = (gate: Gate) => lockHolder`select pg_advisory_lock(${gates[gate]})`
const openGate = (gate: Gate) => lockHolder`select pg_advisory_unlock(${gates[gate]})`

afterAll(async () => {
  await lockHolder.end()
  await world.close()
})

const makeSpender = async (): Promise<{ id: string }> => {
  const { id, key } = await createCardHolder(world, 1000)
  const body = { enabled: true, amountCents, thresholdCents: 0 }
  expect((await world.request('PUT', `/api/accounts/${id}/auto-top-up`, { key, body })).status).toBe(200)
  return { id }
}

/** Waits until a worker is blocked at the gate, even behind the webhook. Returns the pids of the blocked connections. */
const untilHeld = (gate: Gate): Promise<number[]> =>
  eventually(
    `a worker at the gate ${gate}`,
    async () => {
      const rows = await world.db<{ pid: number }[]>`
        select pid from pg_stat_activity
        where datname = current_database() and application_name = 'backline worker'
          and wait_event_type = 'Lock' and strpos(query, ${waitingQueries[gate]}) > 0`
      return rows.length > 0 ? rows.map(({ pid }) => pid) : undefined
    },
    30_000,
  )

const listCharges = (accountId: string) =>
  world.db<{ status: string; amountCents: number }[]>`
    select status, amount_cents as "amountCents" from embedded_payments where metadata ->> 'accountId' = ${accountId}`

const listTopUps = (accountId: string) =>
  world.db<{ amount: number }[]>`
    select amount from credit_ledger where account_id = ${accountId} and kind = 'topup' and reference like 'topup:pay%'`

test('a worker killed between the charge and its record charges the card once and loses no credits', async () => {
  const { id } = await makeSpender()
  await closeGate('recorded')
  const first = await startWorkerProcess(world)
  await world.db.begin((tx) => debitAccount(tx, { accountId: id, amount: 1500, reference: `turn:${id}` }))
  await world.engine.start(topUpAccount, { accountId: id })
  const heldPids = await untilHeld('recorded')
  expect([...(await listCharges(id))]).toEqual([{ status: 'succeeded', amountCents }])
  await first.kill()
  await untilSessionsEnded(world, heldPids)
  expect([...(await listTopUps(id))]).toEqual([])
  const [lostIntent] = await world.db`select state, payment_id as payment from payment_intents where account_id = ${id}`
  expect(lostIntent).toEqual({ state: 'created', payment: null })

  const second = await startWorkerInProcess(world)
  await untilHeld('recorded')
  await openGate('recorded')
  await eventually('the end of the workflow', async () =>
    (await world.engine.readState(`top-up:${id}`)) === 'ended' ? true : undefined,
  )
  await eventually('the credits', async () => ((await listTopUps(id)).length > 0 ? true : undefined))
  expect([...(await listCharges(id))]).toEqual([{ status: 'succeeded', amountCents }])
  expect([...(await listTopUps(id))]).toEqual([{ amount: credits }])
  const [booked] = await world.db`
    select state, remaining_credits as balance from payment_intents join credit_balances using (account_id)
    where account_id = ${id}`
  expect(booked).toEqual({ state: 'paid', balance: credits - 500 })
  await second.stop()
})

/** Starts a purchase with a separate API and waits until a worker is blocked at the gate. `first` never rejects. */
const beginPurchase = async (gate: Gate) => {
  const { id, key } = await createCardHolder(world)
  await closeGate(gate)
  const [api, worker] = await Promise.all([startApiProcess(world), startWorkerProcess(world)])
  const headers = { 'x-api-key': key, 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
  const buy = async (baseUrl: string): Promise<PurchaseResponse> => {
    const body = JSON.stringify({ credits: 1_000_000 })
    const response = await fetch(`${baseUrl}/api/credits/sessions`, { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as PurchaseResponse['body'] }
  }
  const first = buy(api.baseUrl).catch(() => undefined)
  return { id, api, worker, buy, first, held: await untilHeld(gate) }
}

type PurchaseResponse = { status: number; body: { paymentIntentId?: string } }

const expectOneCharge = async (accountId: string, response: PurchaseResponse | undefined): Promise<void> => {
  const charges = await world.db<{ id: string; status: string }[]>`
    select id, status from embedded_payments where metadata ->> 'accountId' = ${accountId}`
  expect(charges.map(({ status }) => status)).toEqual(['succeeded'])
  expect(response).toMatchObject({ status: 200, body: { paymentIntentId: charges[0]?.id } })
  await eventually('the credits', async () => ((await listTopUps(accountId)).length > 0 ? true : undefined))
  expect([...(await listTopUps(accountId))]).toEqual([{ amount: 1_000_000 }])
  const intents = await world.db`select state from payment_intents where account_id = ${accountId}`
  expect([...intents]).toEqual([{ state: 'paid' }])
}

test.each(['charged', 'recorded'] as const)(
  'an API and a worker killed before the payment is %s charge the card once, and a repeated request returns the charge',
  async (gate) => {
    const { id, api, worker, buy, first, held } = await beginPurchase(gate)
    await Promise.all([api.kill(), worker.kill()])
    await untilSessionsEnded(world, held)
    expect(await first).toBeUndefined()
    const second = await startWorkerInProcess(world)
    await untilHeld(gate)
    const repeat = buy(world.baseUrl)
    await openGate(gate)
    await expectOneCharge(id, await repeat)
    await second.stop()
  },
)

test('the next worker completes the request of a killed worker, and the card is charged once', async () => {
  const { id, api, worker, first, held } = await beginPurchase('recorded')
  await worker.kill()
  await untilSessionsEnded(world, held)
  const second = await startWorkerInProcess(world)
  await untilHeld('recorded')
  await openGate('recorded')
  await expectOneCharge(id, await first)
  await second.stop()
  await api.stop()
})
