import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSingle } from '../../db/client.ts'
import type { Pool } from '../../db/client.ts'
import { debitAccount } from '../../db/ledger.ts'
import { startWorkerProcess } from '../crash/processes.ts'
import { createWorld, eventually } from '../world.ts'
import type { TestAccount, World } from '../world.ts'
import { createBrowser, typed } from './browser.ts'

const gate = 4243
const amountCents = 2000
const credits = 20_000_000

let world: World
let holder: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false })
  holder = connectSingle({ url: world.databaseUrl, name: 'test gate' })
  // Whoever notes what was paid waits until the worker is dead: the one that charged, and the webhook.
  await holder`select pg_advisory_lock(${gate})`
  await world.db.unsafe(`
    create function wait_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${gate});
      return new;
    end $$`)
  await world.db`
    create trigger wait_at_gate before update on payment_intents
    for each row when (new.payment_id is not null) execute function wait_at_gate()`
})
afterAll(async () => {
  await holder.end()
  await world.close()
})

const makeSpender = async (): Promise<TestAccount> => {
  const account = await world.makeAccount({ credits: 1000 })
  const { id, key } = account
  const page = await world.request<{ url: string }>('POST', `/api/accounts/${id}/payment-method`, { key })
  await createBrowser(world).send(page.body.url, typed('4242424242424242'))
  const body = { enabled: true, amountCents, thresholdCents: 0 }
  await eventually('the card on file', async () => {
    const { status } = await world.request('PUT', `/api/accounts/${id}/auto-top-up`, { key, body })
    return status === 200 || undefined
  })
  return account
}

/** The connections of workers that wait at the gate. */
const listWaiting = async (): Promise<number[]> => {
  const rows = await world.db<{ pid: number }[]>`
    select pid from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and objid = ${gate} and not granted and query like '%payment_id = coalesce%'`
  return rows.map(({ pid }) => pid)
}

const listCharges = (accountId: string) =>
  world.db<{ status: string; amountCents: number }[]>`
    select status, amount_cents as "amountCents" from embedded_payments where metadata ->> 'accountId' = ${accountId}`

const listTopUps = (accountId: string) =>
  world.db<{ amount: number }[]>`
    select amount from credit_ledger where account_id = ${accountId} and kind = 'topup' and reference like 'topup:pay%'`

test('a worker that is killed between the charge and its note charges once and loses no credits', async () => {
  const { id } = await makeSpender()
  const first = await startWorkerProcess(world)
  await world.db.begin((tx) => debitAccount(tx, { accountId: id, amount: 1500, reference: `turn:${id}` }))
  await world.engine.topUpAccount(id)
  const waiting = await eventually(
    'the worker at the gate',
    async () => {
      const pids = await listWaiting()
      return pids.length > 0 ? pids : undefined
    },
    30_000,
  )
  expect([...(await listCharges(id))]).toEqual([{ status: 'succeeded', amountCents }])
  await first.kill()
  // The server would go on with what its client asked for before it died.
  for (const pid of waiting) await world.db`select pg_terminate_backend(${pid}, 10000)`
  expect([...(await listTopUps(id))]).toEqual([])
  const [lost] = await world.db`select state, payment_id as payment from payment_intents where account_id = ${id}`
  expect(lost).toEqual({ state: 'created', payment: null })

  const second = await startWorkerProcess(world)
  await eventually('the second try', async () => ((await listWaiting()).length > 0 ? true : undefined))
  await holder`select pg_advisory_unlock(${gate})`
  await eventually('the end of the workflow', async () =>
    (await world.engine.runState(`top-up:${id}`)) === 'ended' ? true : undefined,
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
