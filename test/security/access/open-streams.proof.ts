import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSingle } from '../../../db/postgres/client.ts'
import { insertRunKey, deriveRunKey } from '../../../db/runs/keys.ts'
import { acceptRun, createSession, makeOwner } from '../../world/sessions/session-rows.ts'
import { createWorld, eventually, type Sent, type TestAccount, type World } from '../../world/world.ts'

/** Closes a stream only after a notification that access is revoked. */
let notifyingWorld: World
/** Also rechecks the access of each stream at its heartbeat. */
let recheckingWorld: World
const beatMs = 300
beforeAll(async () => {
  notifyingWorld = await createWorld({ worker: false, settings: { STREAM_HEARTBEAT_MS: '600000' } })
  recheckingWorld = await createWorld({ worker: false, settings: { STREAM_HEARTBEAT_MS: String(beatMs) } })
})
afterAll(async () => {
  for (const world of [notifyingWorld, recheckingWorld]) {
    await world.db`update runs set status = 'cancelled', ended_at = now() where status in ('queued', 'running')`
    await world.close()
  }
})

type StartedRun = { owner: TestAccount; colleague: TestAccount; organizationId: string; chatId: string; runId: string }

/** Starts a run of one of two members. Its stream has one frame and no end. */
const startRun = async (world: World): Promise<StartedRun> => {
  const [owner, colleague] = [await makeOwner(world), await world.makeAccount()]
  const { id: organizationId } = await world.makeOrganization({ members: [owner.id, colleague.id] })
  const { session, chat } = await createSession(world, owner)
  const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
  return { owner, colleague, organizationId, chatId: chat.id, runId }
}

type OpenStream = { isOpen: () => boolean; countFrames: () => number; close: () => void }

/** Opens a stream and reads its first frame. */
const openStream = async (world: World, { owner, chatId }: StartedRun, by: Sent): Promise<OpenStream> => {
  const response = await world.fetch('GET', `/api/chat/${chatId}/stream?account_id=${owner.id}`, by)
  expect(response.status).toBe(200)
  const reader = response.body!.getReader()
  expect((await reader.read()).done).toBe(false)
  let [isOpen, frameCount] = [true, 0]
  const drain = async (): Promise<void> => {
    while (!(await reader.read()).done) frameCount++
  }
  // The API breaks the connection, because an ended response would signal a complete stream to the client.
  drain().catch(() => (isOpen = false))
  return { isOpen: () => isOpen, countFrames: () => frameCount, close: () => void reader.cancel().catch(() => {}) }
}

const untilClosed = (stream: OpenStream): Promise<true> =>
  eventually('the end of the stream', async () => (stream.isOpen() ? undefined : true), 5000)

/** Prepares credentials with access to the stream and a function that revokes the access. */
const revocations: [
  string,
  (world: World, run: StartedRun) => Promise<{ by: Sent; revoke: () => Promise<unknown> }>,
][] = [
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
    'a colleague who leaves, while the stream is read with a bearer token',
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

test.each(revocations)('an open stream is closed immediately after access is revoked: %s', async (_, prepare) => {
  const run = await startRun(notifyingWorld)
  const { by, revoke } = await prepare(notifyingWorld, run)
  const [stream, ownerStream] = [
    await openStream(notifyingWorld, run, by),
    await openStream(notifyingWorld, run, { key: run.owner.key }),
  ]
  await revoke()
  await untilClosed(stream)
  expect(ownerStream.isOpen()).toBe(true)
  const reopened = await notifyingWorld.fetch('GET', `/api/chat/${run.chatId}/stream?account_id=${run.owner.id}`, by)
  // If the key lookup is cached, the stream opens and is then closed.
  if (reopened.status === 200) await expect(reopened.text()).rejects.toThrow()
  else expect([401, 403]).toContain(reopened.status)
  ownerStream.close()
})

test('a heartbeat closes streams whose notifications were lost or whose keys have expired', async () => {
  const run = await startRun(recheckingWorld)
  const tables = connectSingle({ url: recheckingWorld.databaseUrl, name: 'owner of the tables' })
  await tables`alter table account_api_keys disable trigger account_api_keys_revoked`
  await tables`alter table account_organization_ids disable trigger memberships_revoked`
  await tables.end()
  const expiring = { key: await recheckingWorld.makeKey(run.owner.id, { expiresAt: new Date(Date.now() + 2000) }) }
  const prepared = await Promise.all(revocations.slice(0, 2).map(([, prepare]) => prepare(recheckingWorld, run)))
  const streams = await Promise.all(prepared.map(({ by }) => openStream(recheckingWorld, run, by)))
  const [expired, ownerStream] = [
    await openStream(recheckingWorld, run, expiring),
    await openStream(recheckingWorld, run, { key: run.owner.key }),
  ]
  await eventually('two heartbeats', async () => streams.every(({ countFrames }) => countFrames() >= 2) || undefined)
  expect(streams.map(({ isOpen }) => isOpen())).toEqual([true, true])
  for (const { revoke } of prepared) await revoke()
  for (const stream of [...streams, expired]) await untilClosed(stream)
  expect(ownerStream.isOpen()).toBe(true)
  ownerStream.close()
})
