import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSingle, type Pool } from '../../db/postgres/client.ts'
import { debitAccount } from '../../db/credits/ledger.ts'
import { untilForgotten } from '../crash/forgotten.ts'
import { startApiProcess, startWorkerHere, startWorkerProcess } from '../crash/processes.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { makeHolder } from './scenarios.ts'
import { topUpAccount } from '../../workflows/payments/messages.ts'

/** Where a worker is held: before the card is charged, or before the charge is recorded. */
const gates = { asked: 4242, noted: 4243 }
type Gate = keyof typeof gates
const heldAt: Record<Gate, string> = { asked: 'insert into embedded_payments', noted: 'payment_id = coalesce' }

const amountCents = 2000
const credits = 20_000_000

let world: World
let holder: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false })
  holder = connectSingle({ url: world.databaseUrl, name: 'test gate' })
  for (const gate of Object.values(gates))
    await world.db.unsafe(`
      create function wait_at_gate_${gate}() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(${gate});
        return new;
      end $$`)
  await world.db.unsafe(`
    create trigger wait_at_gate before insert on embedded_payments
    for each row execute function wait_at_gate_${gates.asked}()`)
  // The write of the payment waits until the worker is dead, both the worker's and the webhook's.
  await world.db.unsafe(`
    create trigger wait_at_gate before update on payment_intents
    for each row when (new.payment_id is not null) execute function wait_at_gate_${gates.noted}()`)
})
const shut = (gate: Gate) => holder`select pg_advisory_lock(${gates[gate]})`
const open = (gate: Gate) => holder`select pg_advisory_unlock(${gates[gate]})`

afterAll(async () => {
  await holder.end()
  await world.close()
})

const makeSpender = async (): Promise<{ id: string }> => {
  const { id, key } = await makeHolder(world, 1000)
  const body = { enabled: true, amountCents, thresholdCents: 0 }
  expect((await world.request('PUT', `/api/accounts/${id}/auto-top-up`, { key, body })).status).toBe(200)
  return { id }
}

/** Resolves to the connections of workers that wait at the gate or behind the webhook there, once there is one. */
const untilHeld = (gate: Gate): Promise<number[]> =>
  eventually(
    `a worker at the gate ${gate}`,
    async () => {
      const rows = await world.db<{ pid: number }[]>`
        select pid from pg_stat_activity
        where datname = current_database() and application_name = 'backline worker'
          and wait_event_type = 'Lock' and strpos(query, ${heldAt[gate]}) > 0`
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

test('a worker that is killed between the charge and its record charges once and loses no credits', async () => {
  const { id } = await makeSpender()
  await shut('noted')
  const first = await startWorkerProcess(world)
  await world.db.begin((tx) => debitAccount(tx, { accountId: id, amount: 1500, reference: `turn:${id}` }))
  await world.engine.start(topUpAccount, { accountId: id })
  const held = await untilHeld('noted')
  expect([...(await listCharges(id))]).toEqual([{ status: 'succeeded', amountCents }])
  await first.kill()
  await untilForgotten(world, held)
  expect([...(await listTopUps(id))]).toEqual([])
  const [lost] = await world.db`select state, payment_id as payment from payment_intents where account_id = ${id}`
  expect(lost).toEqual({ state: 'created', payment: null })

  const second = await startWorkerHere(world)
  await untilHeld('noted')
  await open('noted')
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

/** Starts a purchase with its own API, which a worker has begun and waits with at the gate. `first` never rejects. */
const beginPurchase = async (gate: Gate) => {
  const { id, key } = await makeHolder(world)
  await shut(gate)
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

test.each(['asked', 'noted'] as const)(
  'an API and a worker that are killed before a charge is %s charge once, and repeating the request returns the charge',
  async (gate) => {
    const { id, api, worker, buy, first, held } = await beginPurchase(gate)
    await Promise.all([api.kill(), worker.kill()])
    await untilForgotten(world, held)
    expect(await first).toBeUndefined()
    const second = await startWorkerHere(world)
    await untilHeld(gate)
    const repeat = buy(world.baseUrl)
    await open(gate)
    await expectOneCharge(id, await repeat)
    await second.stop()
  },
)

test('a request whose worker is killed is completed by the next one, and the card is charged once', async () => {
  const { id, api, worker, first, held } = await beginPurchase('noted')
  await worker.kill()
  await untilForgotten(world, held)
  const second = await startWorkerHere(world)
  await untilHeld('noted')
  await open('noted')
  await expectOneCharge(id, await first)
  await second.stop()
  await api.stop()
})
