import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAudit } from '../../api/access/audit.ts'
import type { Caller, Route } from '../../api/http/route.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { personOrigin } from '../../domain/runs/origin.ts'
import { tokenRequest } from '../world/bearer.ts'
import { createFakeProvider } from '../payments/fake-provider.ts'
import { createPaymentsApi } from '../payments/payments-api.ts'
import { createWorld, eventually, type Sent, type TestAccount, type World } from '../world/world.ts'

type Row = {
  caller: string | null
  account: string | null
  key: string | null
  action: string
  object: string | null
  result: number
}

let world: World
let owner: TestAccount
let keyId: string

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { AGENT_EMAIL_DOMAIN: 'agents.example' } })
  owner = await world.makeAccount()
  const [key] = await world.db<{ id: string }[]>`select id from account_api_keys where account_id = ${owner.id}`
  keyId = key?.id ?? ''
})
afterAll(() => world.close())

const listRows = (requestId: string) => world.db<Row[]>`
  select caller, effective_account as account, key_id as key, action, object, result
  from audit_log where request_id = ${requestId}`

/** Sends a request. Returns its response and the one audit row that it wrote. */
const sendAudited = async <T = Record<string, unknown>>(method: string, path: string, sent: Sent) => {
  const requestId = randomUUID()
  const response = await world.request<T>(method, path, {
    ...sent,
    headers: { ...sent.headers, 'x-request-id': requestId },
  })
  const rows = await eventually('the audit row', async () => {
    const found = await listRows(requestId)
    return found.length > 0 ? found : undefined
  })
  expect(rows).toHaveLength(1)
  return { response, row: rows[0] }
}

test('a request that changes data writes one row with its caller, account, key, object and status', async () => {
  const { response, row } = await sendAudited<{ organization: { id: string } }>('POST', '/api/organizations', {
    key: owner.key,
    body: { name: 'Ours' },
  })
  const organizationId = response.body.organization.id
  const common = { caller: owner.id, key: keyId }
  expect(row).toEqual({
    ...common,
    account: owner.id,
    action: 'POST /api/organizations',
    object: organizationId,
    result: 200,
  })
  const change = { key: owner.key, body: { account_id: organizationId, name: 'A' } }
  expect((await sendAudited('PATCH', '/api/accounts', change)).row).toEqual({
    ...common,
    account: organizationId,
    action: 'PATCH /api/accounts',
    object: organizationId,
    result: 200,
  })
  const path = `/api/sessions/${randomUUID()}`
  expect((await sendAudited('DELETE', path, { key: owner.key })).row).toEqual({
    ...common,
    account: owner.id,
    action: 'DELETE /api/sessions/{sessionId}',
    object: path.split('/').at(-1),
    result: 404,
  })
})

test('a rejected request writes a row that names only the caller; with a bearer token, it names no key', async () => {
  const outsider = await world.makeAccount()
  const bearer = await world.deps.issuer?.issue(owner.email)
  const sent = { bearer, body: { account_id: outsider.id, name: 'taken' } }
  expect((await sendAudited('PATCH', '/api/accounts', sent)).row).toEqual({
    caller: owner.id,
    account: owner.id,
    key: null,
    action: 'PATCH /api/accounts',
    object: null,
    result: 403,
  })
})

test('a signup writes a row for the new account, without a caller and without secrets', async () => {
  const email = `agent+${randomUUID()}@agents.example`
  const { response, row } = await sendAudited<{ account_id: string; api_key: string }>('POST', '/api/agents/signup', {
    body: { email },
  })
  const { account_id: accountId, api_key: key } = response.body
  expect(row).toEqual({
    caller: null,
    account: accountId,
    key: null,
    action: 'POST /api/agents/signup',
    object: accountId,
    result: 200,
  })
  expect(JSON.stringify(await world.db`select * from audit_log`)).not.toContain(key)
  const wrong = await sendAudited('POST', '/api/agents/verify', { body: { email, code: '123456' } })
  expect(wrong.row).toMatchObject({ caller: null, account: null, action: 'POST /api/agents/verify', result: 400 })
})

test('reads and anonymous requests write no row', async () => {
  const requestId = randomUUID()
  const headers = { 'x-request-id': requestId }
  await world.request('GET', '/api/keys', { key: owner.key, headers })
  await world.request('HEAD', '/api/keys', { key: owner.key, headers })
  await world.request('POST', '/api/keys', { key: 'x', body: { key_name: 'x' }, headers })
  await world.request('POST', '/identity/token', { body: tokenRequest(world, 'a@example.com'), headers })
  await world.request('POST', `/git/workspaces/${owner.id}.git/git-upload-pack`, { key: owner.key, headers })
  await sendAudited('POST', '/api/keys', { key: owner.key, body: { key_name: 'later' } })
  expect(await listRows(requestId)).toEqual([])
})

test('rows cannot be updated or deleted', async () => {
  await sendAudited('POST', '/api/keys', { key: owner.key, body: { key_name: 'kept' } })
  await expect(world.db`update audit_log set result = 0`).rejects.toThrow('append-only')
  await expect(world.db`delete from audit_log`).rejects.toThrow('append-only')
})

test('a request succeeds even if the database rejects its audit row, and later rows are written', async () => {
  await world.db`alter table audit_log rename to audit_log_away`
  try {
    const made = await world.request('POST', '/api/keys', { key: owner.key, body: { key_name: 'unseen' } })
    expect(made.status).toBe(200)
  } finally {
    await world.db`alter table audit_log_away rename to audit_log`
  }
  expect((await sendAudited('POST', '/api/keys', { key: owner.key, body: { key_name: 'seen' } })).row?.result).toBe(200)
})

test('rows wait while the database is down, and a rejected row does not block the others', async () => {
  let outages = 2
  // The audit only calls the pool as a template tag.
  const db = ((...args: Parameters<Pool>) => {
    if (outages-- > 0) return Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))
    return world.db(...args)
  }) as unknown as Pool
  const audit = createAudit({ db, log: world.deps.log })
  const ids = Array.from({ length: 5 }, () => randomUUID())
  // The audit reads only these fields of a route.
  const route = { method: 'POST', path: '/api/example', auth: 'either' } as unknown as Route
  for (const [index, requestId] of ids.entries()) {
    const accountId = index === 2 ? 'no uuid' : owner.id
    const caller: Caller = { accountId, via: 'key', ephemeral: false, origin: personOrigin('api') }
    audit.record({ caller, route, pathParams: {}, requestId }, 200)
  }
  const listWritten = () =>
    world.db<{ id: string }[]>`select request_id as id from audit_log where request_id in ${world.db(ids)}`
  await eventually('the rows', async () => ((await listWritten()).length === 4 ? true : undefined))
  expect((await listWritten()).map(({ id }) => id)).not.toContain(ids[2])
  await audit.close()
})

test('the payment webhook writes a row for an event that it accepts, and none for one that it rejects', async () => {
  const provider = createFakeProvider()
  const shop = await createWorld({ worker: false, payments: provider.port })
  try {
    const paymentsApi = createPaymentsApi(shop, provider)
    const [accepted, rejected] = [randomUUID(), randomUUID()]
    await paymentsApi.sendEvent(
      { eventId: 'evt_audited' },
      { headers: { 'x-payment-signature': 'good', 'x-request-id': accepted } },
    )
    await paymentsApi.sendEvent({}, { headers: { 'x-payment-signature': 'bad', 'x-request-id': rejected } })
    const rows = () => shop.db`
      select caller, action, object, result from audit_log where request_id in ${shop.db([accepted, rejected])}`
    await eventually('the row', async () => ((await rows()).length > 0 ? true : undefined))
    expect([...(await rows())]).toEqual([
      { caller: null, action: 'POST /api/webhooks/payments', object: 'evt_audited', result: 200 },
    ])
  } finally {
    await shop.close()
  }
})
