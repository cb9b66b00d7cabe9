import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSingle } from '../../../db/postgres/client.ts'
import { insertRunKey, deriveRunKey } from '../../../db/runs/keys.ts'
import { acceptRun, createSession, makeOwner } from '../../world/sessions/session-rows.ts'
import { createWorld, eventually, type Sent, type TestAccount, type World } from '../../world/world.ts'

/** Only notifications close streams in the first world; the second one also rechecks access at each heartbeat. */
let notified: World
let rechecking: World
const beatMs = 300
beforeAll(async () => {
  notified = await createWorld({ worker: false, settings: { STREAM_HEARTBEAT_MS: '600000' } })
  rechecking = await createWorld({ worker: false, settings: { STREAM_HEARTBEAT_MS: String(beatMs) } })
})
afterAll(async () => {
  for (const world of [notified, rechecking]) {
    await world.db`update runs set status = 'cancelled', ended_at = now() where status in ('queued', 'running')`
    await world.close()
  }
})

type LiveRun = { owner: TestAccount; colleague: TestAccount; organizationId: string; chatId: string; runId: string }

/** Starts a live run of one of two members; its stream has one frame and no end. */
const startLiveRun = async (world: World): Promise<LiveRun> => {
  const [owner, colleague] = [await makeOwner(world), await world.makeAccount()]
  const { id: organizationId } = await world.makeOrganization({ members: [owner.id, colleague.id] })
  const { session, chat } = await createSession(world, owner)
  const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
  return { owner, colleague, organizationId, chatId: chat.id, runId }
}

type Reading = { isOpen: () => boolean; beats: () => number; close: () => void }

/** Opens a stream and reads its first frame. */
const read = async (world: World, { owner, chatId }: LiveRun, by: Sent): Promise<Reading> => {
  const response = await world.fetch('GET', `/api/chat/${chatId}/stream?account_id=${owner.id}`, by)
  expect(response.status).toBe(200)
  const reader = response.body!.getReader()
  expect((await reader.read()).done).toBe(false)
  let [isOpen, beats] = [true, 0]
  const drain = async (): Promise<void> => {
    while (!(await reader.read()).done) beats++
  }
  // The stream is cut, not ended: a body that ends properly would tell the client that it is complete.
  drain().catch(() => (isOpen = false))
  return { isOpen: () => isOpen, beats: () => beats, close: () => void reader.cancel().catch(() => {}) }
}

const untilCut = (reading: Reading): Promise<true> =>
  eventually('the end of the stream', async () => (reading.isOpen() ? undefined : true), 5000)

/** Ends access in one way while `by` and the owner read. */
const ways: [string, (world: World, run: LiveRun) => Promise<{ by: Sent; revoke: () => Promise<unknown> }>][] = [
  [
    'a deleted key',
    async (world, { owner }) => {
      const key = await world.makeKey(owner.id)
      const [{ id } = { id: '' }] = await world.db<{ id: string }[]>`
        select id from account_api_keys where account_id = ${owner.id} order by created_at desc limit 1`
      const revoke = () => world.request('DELETE', '/api/keys', { key: owner.key, body: { id } })
      return { by: { key }, revoke }
    },
  ],
  [
    'a removed member',
    async (world, { owner, colleague, organizationId }) => {
      const path = `/api/organizations/members?organization_id=${organizationId}&account_id=${colleague.id}`
      return { by: { key: colleague.key }, revoke: () => world.request('DELETE', path, { key: owner.key }) }
    },
  ],
  [
    'a colleague who leaves, read with a bearer',
    async (world, { owner, colleague, organizationId }) => {
      const bearer = await world.deps.issuer?.issue(colleague.email)
      const path = `/api/organizations/members?organization_id=${organizationId}&account_id=${owner.id}`
      return { by: { bearer }, revoke: () => world.request('DELETE', path, { key: owner.key }) }
    },
  ],
  [
    'the key of a run that ends',
    async (world, { owner, runId }) => {
      const secret = world.config.SERVER_SECRET ?? ''
      await insertRunKey(world.db, secret, runId)
      const by = { key: deriveRunKey(secret, runId) }
      return {
        by,
        revoke: () => world.db`delete from account_api_keys where run_id = ${runId} and account_id = ${owner.id}`,
      }
    },
  ],
]

test.each(ways)('an open stream is cut immediately: %s', async (_, prepare) => {
  const liveRun = await startLiveRun(notified)
  const { by, revoke } = await prepare(notified, liveRun)
  const [reading, ofOwner] = [
    await read(notified, liveRun, by),
    await read(notified, liveRun, { key: liveRun.owner.key }),
  ]
  await revoke()
  await untilCut(reading)
  expect(ofOwner.isOpen()).toBe(true)
  const again = await notified.fetch('GET', `/api/chat/${liveRun.chatId}/stream?account_id=${liveRun.owner.id}`, by)
  // The key lookup may be cached: the stream opens and is cut.
  if (again.status === 200) await expect(again.text()).rejects.toThrow()
  else expect([401, 403]).toContain(again.status)
  ofOwner.close()
})

test('a heartbeat cuts streams whose notifications were lost or whose keys expired', async () => {
  const liveRun = await startLiveRun(rechecking)
  const tables = connectSingle({ url: rechecking.databaseUrl, name: 'owner of the tables' })
  await tables`alter table account_api_keys disable trigger account_api_keys_revoked`
  await tables`alter table account_organization_ids disable trigger memberships_revoked`
  await tables.end()
  const expiring = { key: await rechecking.makeKey(liveRun.owner.id, { expiresAt: new Date(Date.now() + 2000) }) }
  const prepared = await Promise.all(ways.slice(0, 2).map(([, prepare]) => prepare(rechecking, liveRun)))
  const readings = await Promise.all(prepared.map(({ by }) => read(rechecking, liveRun, by)))
  const [expired, ofOwner] = [
    await read(rechecking, liveRun, expiring),
    await read(rechecking, liveRun, { key: liveRun.owner.key }),
  ]
  await eventually('two heartbeats', async () => readings.every(({ beats }) => beats() >= 2) || undefined)
  expect(readings.map(({ isOpen }) => isOpen())).toEqual([true, true])
  for (const { revoke } of prepared) await revoke()
  for (const reading of [...readings, expired]) await untilCut(reading)
  expect(ofOwner.isOpen()).toBe(true)
  ofOwner.close()
})
