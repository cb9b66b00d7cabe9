import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte

let world: World
let freeBytes = 100 * gibibyte
beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: { MEDIA_MEGABYTES_FREE: '4', DISK_RESERVE_MEGABYTES: '1024' },
    probeDisk: () => Promise.resolve({ totalBytes: 200 * gibibyte, freeBytes, totalFiles: 0, freeFiles: 0 }),
  })
})
afterAll(() => world.close())

async function* pieces(megabytes: number, end?: Error): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < megabytes * 4; sent++) yield new Uint8Array(mebibyte / 4)
  if (end !== undefined) throw end
}

const put = (account: TestAccount | undefined, key: string, content: AsyncIterable<Uint8Array>) =>
  world.deps.store.put(key, content, { contentType: 'video/mp4', overwrite: true, accountId: account?.id })

const readUsage = async (account: TestAccount) =>
  (await world.request<{ used_bytes: number }>('GET', `/api/accounts/${account.id}/media`, account)).body

const createKey = () => `content/${randomUUID()}.mp4`

/** Creates a completed video of two megabytes. */
const makeVideo = async (account: TestAccount) => {
  const runId = `run_${randomUUID()}`
  const key = `content/${runId.replaceAll('-', '')}.mp4`
  await put(account, key, pieces(2))
  await world.db`
    insert into content_runs (run_id, account_id, artist_name, wish, turn, state, video_key)
    values (${runId}, ${account.id}, 'Nova', '{"template":"artist-caption-stage","lipsync":false,"upscale":false,
      "captionLength":"none","songs":[],"images":[]}'::jsonb, 0, 'completed', ${key})`
  return { runId, key }
}

test('stored bytes count toward the plan quota of their account, and a rejected object leaves nothing behind', async () => {
  const account = await world.makeAccount()
  await put(account, createKey(), pieces(1))
  const replaced = createKey()
  await put(account, replaced, pieces(2))
  await put(account, replaced, pieces(1))
  const rejectedKey = createKey()
  await expect(put(account, rejectedKey, pieces(3))).rejects.toMatchObject({ kind: 'declined', code: 'quota' })
  expect(await world.deps.store.open(rejectedKey)).toBeUndefined()
  await expect(put(account, createKey(), pieces(1, new Error('cut off')))).rejects.toThrow('cut off')
  expect(await readUsage(account)).toEqual({
    account_id: account.id,
    used_bytes: 2 * mebibyte,
    quota_bytes: 4 * mebibyte,
    plan: 'free',
  })
  await world.deps.store.delete(replaced)
  expect((await readUsage(account)).used_bytes).toBe(mebibyte)
})

test('concurrent puts share the quota', async () => {
  const account = await world.makeAccount()
  const puts = await Promise.allSettled(Array.from({ length: 6 }, () => put(account, createKey(), pieces(1))))
  expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  expect((await readUsage(account)).used_bytes).toBe(4 * mebibyte)
})

test('an account whose storage is full can start no track or video until it deletes a file', async () => {
  const account = await world.makeAccount({ credits: 1_000_000 })
  const artist = await world.makeArtist({ rosterOf: account.id })
  const videos = [await makeVideo(account), await makeVideo(account)]
  const image = 'https://example.com/cover.png'
  const requests: [string, object][] = [
    ['/api/music', { prompt: 'warm house', lyrics: 'Hold the line', duration: 30 }],
    ['/api/content/create', { artist_account_id: artist.id, images: [image], songs: ['https://example.com/a.mp3'] }],
  ]
  const sendAll = () =>
    Promise.all(requests.map(([path, body]) => world.request('POST', path, { key: account.key, body })))
  for (const { status, body } of await sendAll())
    expect({ status, body }).toMatchObject({
      status: 402,
      body: { error: 'plan_limit', limit: 'media_bytes', used_bytes: 4 * mebibyte, quota_bytes: 4 * mebibyte },
    })
  const { runId, key } = videos[0]!
  const outsider = await world.makeAccount()
  expect((await world.request('DELETE', `/api/content/videos/${runId}`, outsider)).status).toBe(404)
  expect((await world.request('DELETE', `/api/content/videos/${runId}`, account)).status).toBe(200)
  expect((await world.request('GET', `/api/content/videos/${runId}`, account)).status).toBe(404)
  expect(await world.deps.store.open(key)).toBeUndefined()
  expect((await readUsage(account)).used_bytes).toBe(2 * mebibyte)
  expect((await sendAll()).map(({ status }) => status)).toEqual([202, 202])
})

test('a track is deleted with its file, but not while it is being made', async () => {
  const account = await world.makeAccount()
  const [id, key] = [randomUUID(), `music/${randomUUID()}.mp3`]
  await put(account, key, pieces(1))
  await world.db`
    insert into music_generations (id, account_id, run_id, model, prompt, lyrics, parameters)
    values (${id}, ${account.id}, ${`run_${id}`}, 'local', 'slow house', '', '{}')`
  const remove = () => world.request('DELETE', `/api/music/${id}`, account)
  expect(await remove()).toMatchObject({ status: 409, body: { error: 'The track is still being created' } })
  await world.db`update music_generations set status = 'completed', storage_key = ${key} where id = ${id}`
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404])
  expect([await world.deps.store.open(key), (await readUsage(account)).used_bytes]).toEqual([undefined, 0])
})

test('no object is written into the reserve of the disk', async () => {
  const account = await world.makeAccount()
  freeBytes = gibibyte + 2 * mebibyte
  for (const owner of [account, undefined])
    await expect(put(owner, createKey(), pieces(3))).rejects.toThrow(
      new ProviderError('unavailable', 'store: the disk has no space above its reserve'),
    )
  expect((await readUsage(account)).used_bytes).toBe(0)
  freeBytes = 100 * gibibyte
})

test('the sweep deletes files of deleted accounts and releases reservations of dead processes', async () => {
  const [deletedAccount, account] = [await world.makeAccount(), await world.makeAccount()]
  const key = createKey()
  await put(deletedAccount, key, pieces(1))
  await world.db`delete from media_usage where account_id = ${deletedAccount.id}`
  await world.db`update media_objects set account_id = null where key = ${key}`
  const abortController = new AbortController()
  const endless = async function* () {
    yield new Uint8Array(mebibyte)
    await pause(60_000, undefined, { signal: abortController.signal })
  }
  const killed = put(account, createKey(), endless())
  await expect.poll(async () => (await readUsage(account)).used_bytes).toBe(mebibyte)
  await world.db`update media_reservations set expires_at = now() - interval '1 second'`
  await world.deps.store.sweep(new Date(0))
  expect([await world.deps.store.open(key), (await readUsage(account)).used_bytes]).toEqual([undefined, 0])
  abortController.abort()
  await expect(killed).rejects.toThrow('aborted')
})
