import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bucketOptions } from '../../config.ts'
import { openSharedObjects } from '../../providers/blob/choose.ts'
import { createChatApi } from '../chat/chat-api.ts'
import { createSession } from '../world/sessions/session-rows.ts'
import { createSandboxApi } from './lifecycle/sandbox-api.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { prepareBase } from '../../workflows/sandboxes/messages.ts'

let world: World
let owner: TestAccount
let hasBases: boolean
/** Whether snapshots are in the object store. */
let isShared: boolean
beforeAll(async () => {
  world = await createWorld({ settings: { SANDBOX_PREPARE_SECONDS: '0' } })
  owner = await world.makeAccount()
  isShared = bucketOptions(world.config) !== undefined
  hasBases = (await createSandboxApi(world).openDriver()).startsFromBases
})
afterAll(() => world.close())

const listBases = (cloneUrl: string) =>
  world.db<{ snapshotId: string; commit: string }[]>`
    select snapshot_id as "snapshotId", commit from base_snapshots where clone_url = ${cloneUrl} order by created_at`

const removeSnapshot = async (snapshotId: string): Promise<void> => {
  const objects = await openSharedObjects(bucketOptions(world.config))
  if (objects === undefined) await rm(`${world.config.DATA_DIR}/sandboxes/.snapshots/${snapshotId}.tar.gz`)
  else await objects.remove(`snapshots/${snapshotId}.tgz`)
}

/** Creates a session of the owner and starts its sandbox. */
const startSandbox = async () => {
  const { session, chat } = await createSession(world, owner)
  const response = await world.request('POST', '/api/sandbox', { key: owner.key, body: { sessionId: session.id } })
  expect(response.status).toBe(200)
  return { account: owner, sessionId: session.id, chatId: chat.id, cloneUrl: session.cloneUrl ?? '' }
}

const untilPrepared = (cloneUrl: string, count = 1) =>
  eventually('the base', async () => {
    const bases = await listBases(cloneUrl)
    return bases.length >= count ? bases : undefined
  })

/** Checks the reflog, which records whether the working tree came from a base. */
const isFromBase = async (chat: Awaited<ReturnType<typeof startSandbox>>): Promise<boolean> =>
  (await createSandboxApi(world).run(chat, 'git reflog --format=%gs')).includes('checkout: moving')

it('the first sandbox of a repository prepares a base snapshot for later sandboxes, which start at the latest commit', async () => {
  if (!hasBases) return expect(world.config.SANDBOX_PROVIDER).not.toBe('bubblewrap')
  const first = await startSandbox()
  const [base] = await untilPrepared(first.cloneUrl)
  expect(await isFromBase(first)).toBe(false)
  // A turn that adds a commit after the base.
  await createChatApi(world).send(first, '$ echo later > later.txt')
  const second = await startSandbox()
  expect(await isFromBase(second)).toBe(true)
  expect(await createSandboxApi(world).run(second, 'cat later.txt; git status --short')).toBe('later\n')
  const { commit, snapshotId } = base ?? { commit: '', snapshotId: '' }
  expect(commit).toMatch(/^[0-9a-f]{40}$/)

  await removeSnapshot(snapshotId)
  const third = await startSandbox()
  expect(await isFromBase(third)).toBe(false)
  const [, renewed] = await untilPrepared(third.cloneUrl, isShared ? 1 : 2)
  const remaining = (await listBases(third.cloneUrl)).map((one) => one.snapshotId)
  // A snapshot that is absent from the disk of this machine may be on another machine.
  expect(remaining.includes(snapshotId)).toBe(!isShared)
  expect(isShared || renewed !== undefined).toBe(true)
})

it('only the last five base snapshots of a repository are kept', async () => {
  if (!hasBases) return expect(world.config.SANDBOX_PROVIDER).not.toBe('bubblewrap')
  const { cloneUrl } = await startSandbox()
  await untilPrepared(cloneUrl)
  await eventually(
    'the end of the build',
    async () => (await world.engine.readState(`base:${cloneUrl}`)) === 'ended' || undefined,
  )
  await world.db`delete from base_snapshots where clone_url = ${cloneUrl}`
  await world.db`
    insert into base_snapshots (snapshot_id, sandbox_type, clone_url, commit, size_bytes, created_at)
    select 'old_' || n, 'local', ${cloneUrl}, '', 0, now() - make_interval(days => n) from generate_series(1, 6) n`
  await world.engine.start(prepareBase, { cloneUrl: cloneUrl })
  const remainingIds = await eventually('the removal of the oldest base', async () => {
    const ids = (await listBases(cloneUrl)).map(({ snapshotId }) => snapshotId)
    return ids.length === 5 && ids.at(-1)?.startsWith('snap_') ? ids : undefined
  })
  expect(remainingIds).toEqual(['old_4', 'old_3', 'old_2', 'old_1', expect.stringMatching(/^snap_/)])
})
