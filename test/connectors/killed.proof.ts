import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepConnectors } from '../../api/connectors/sweep.ts'
import { startApiProcess } from '../crash/processes.ts'
import { whileLocked } from '../crash/table-locks.ts'
import { clientSettings, serveStudio } from '../providers/vendors/sign-in/oauth-service.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createConnectorApi, type Body, webApp } from './connector-api.ts'

let studio: Awaited<ReturnType<typeof serveStudio>>
let folder: string
let settings: Record<string, string>
let world: World
let account: TestAccount
beforeAll(async () => {
  studio = await serveStudio()
  folder = await studio.describe()
  settings = { ...webApp, ...clientSettings, CONNECTORS_DIR: folder, ALLOW_PRIVATE_FETCH: 'true' }
  world = await createWorld({ worker: false, settings })
  account = await world.makeAccount()
})
afterAll(async () => {
  await world.close()
  await studio.close()
  await rm(folder, { recursive: true, force: true })
})

const api = createConnectorApi(() => world)
/** Executes an action through the API process at this URL. */
const executeAt = async (baseUrl: string, key: string, actionSlug: string, parameters: object) => {
  const response = await fetch(`${baseUrl}/api/connectors/actions`, {
    method: 'POST',
    headers: { 'x-api-key': account.key, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ actionSlug, parameters }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

test('an action whose API is killed is not executed again for the same key, and its outcome is unknown', async () => {
  const { body } = await api.authorize(account, 'studio')
  await api.confirm(account, await api.open((await api.open(body.data.redirectUrl)).headers.get('location') ?? ''))
  const key = randomUUID()
  const parameters = { body: { room: 'B' } }
  const doomed = await startApiProcess(world, { settings })
  const lost = executeAt(doomed.baseUrl, key, 'STUDIO_BOOK_AND_HANG', parameters).catch(() => 'lost')
  await eventually('the booking', async () => (studio.bookings.length > 0 ? true : undefined))
  await doomed.kill()
  expect(await lost).toBe('lost')
  const next = await startApiProcess(world, { settings })
  for (const _ of ['first repetition', 'second repetition']) {
    const { status, body: failure } = await executeAt(next.baseUrl, key, 'STUDIO_BOOK_AND_HANG', parameters)
    expect([status, failure.message]).toEqual([
      502,
      'The service did not respond in time; the action may have been executed',
    ])
  }
  await next.stop()
  expect(studio.bookings).toEqual([{ room: 'B' }])
})

test.each([
  ['after the service issued a grant', true],
  ['before the service receives the code', false],
])('the grant of an API killed %s is revoked', async (_, isGranted) => {
  const begun = await api.authorize(account, 'studio')
  const back = new URL((await api.open(begun.body.data.redirectUrl)).headers.get('location') ?? '')
  const before = studio.tokens().refresh
  const doomed = await startApiProcess(world, { settings })
  const open = () =>
    fetch(`${doomed.baseUrl}${back.pathname}${back.search}`, { redirect: 'manual' }).catch(() => 'lost')
  if (isGranted) {
    studio.plan.hangToken = true
    const lost = open()
    await eventually('the grant', async () => (studio.tokens().refresh.length > before.length ? true : undefined))
    await doomed.kill()
    expect(await lost).toBe('lost')
    delete studio.plan.hangToken
  } else {
    await whileLocked(world, 'connector_grants', async (blocked) => {
      const lost = open()
      await blocked
      await doomed.kill()
      expect(await lost).toBe('lost')
    })
  }
  await world.db`update connector_states set expires_at = now() - interval '2 minutes' where caller = ${account.id}`
  await sweepConnectors(world.deps)
  expect(studio.tokens().refresh).toEqual(before)
  expect(await world.db`select 1 from connector_states where caller = ${account.id}`).toEqual([])
  expect(await world.db`select 1 from connector_grants where state = 'exchanging'`).toEqual([])
})

test('a repetition completes an action once if the API was killed and the service supports keys', async () => {
  await api.connect(account, 'notebook')
  const key = randomUUID()
  const note = { title: 'Once', text: '' }
  const doomed = await startApiProcess(world, { settings })
  await whileLocked(world, 'connector_demo_items', async (blocked) => {
    const lost = executeAt(doomed.baseUrl, key, 'NOTEBOOK_ADD_NOTE', note).catch(() => 'lost')
    await blocked
    await doomed.kill()
    expect(await lost).toBe('lost')
  })
  const next = await startApiProcess(world, { settings })
  const done = await executeAt(next.baseUrl, key, 'NOTEBOOK_ADD_NOTE', note)
  expect([done.status, done.body.result]).toEqual([200, expect.objectContaining({ title: 'Once' })])
  expect((await executeAt(next.baseUrl, key, 'NOTEBOOK_ADD_NOTE', note)).body).toEqual(done.body)
  await next.stop()
  expect((await api.execute(account, 'NOTEBOOK_LIST_NOTES')).body.result['notes']).toHaveLength(1)
})
