import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRenderJobs } from '../../db/embedded-renders.ts'
import { holdProcessLock } from '../../db/process.ts'
import type { ProcessLock } from '../../db/process.ts'
import type { MusicRender, RenderRequest } from '../../domain/renders.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { createEmbeddedRender } from '../../providers/render/embedded/index.ts'
import type { EmbeddedRender, EmbeddedRenderOptions } from '../../providers/render/embedded/index.ts'
import { createFolderStore } from '../../providers/store/folder.ts'
import type { StorePort } from '../../providers/store/index.ts'
import { createWorld, eventually } from '../world.ts'
import type { World } from '../world.ts'
import { describeFile, ffmpeg } from './decoded.ts'

let world: World
let folder: string
let store: StorePort
const opened: { render: EmbeddedRender; lock: ProcessLock }[] = []

beforeAll(async () => {
  world = await createWorld({ worker: false })
  folder = await mkdtemp(join(tmpdir(), 'backline-render-'))
  store = createFolderStore({ folder: join(folder, 'store'), storeUrl: 'http://store.example/media' })
})
afterAll(async () => {
  for (const { render, lock } of opened) {
    await render.close()
    await lock.close()
  }
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const warnings: object[] = []

/** A renderer as a process of its own would have it. */
const openRender = async (given: Partial<EmbeddedRenderOptions> = {}): Promise<EmbeddedRender> => {
  const lock = await holdProcessLock(world.databaseUrl)
  const render = createEmbeddedRender({
    jobs: createRenderJobs(world.db, lock.processId),
    store,
    folder: join(folder, 'work'),
    findFfmpeg: ffmpeg,
    maxRenders: 1,
    frame: { width: 360, height: 640 },
    log: { warn: (details) => warnings.push(details) },
    ...given,
  })
  opened.push({ render, lock })
  return render
}

const track = (given: Partial<MusicRender> = {}): RenderRequest => ({
  kind: 'music',
  prompt: 'house',
  lyrics: 'hello',
  seconds: 2,
  steps: 30,
  guidance: 1.7,
  seed: 5,
  ...given,
})

const ended = (render: EmbeddedRender, requestId: string) =>
  eventually('the end of a render', async () => {
    const { state, logs } = await render.status(requestId)
    return state === 'completed' || state === 'failed' ? { state, logs } : undefined
  })
const kindOf = (error: unknown): unknown => (error instanceof ProviderFault ? error.kind : error)

it('renders a track, says how, and hands it over through the store', async () => {
  const render = await openRender()
  const { requestId } = await render.submit(track(), { key: 'generation 1' })
  expect(await render.result(requestId).catch(kindOf)).toBe('not_found')
  const { state, logs } = await ended(render, requestId)
  expect(state).toBe('completed')
  expect(logs[0]?.message).toMatch(/^Composed: house, \d+ bpm/)
  const result = await render.result(requestId)
  expect(result).toMatchObject({ contentType: 'audio/mpeg', durationSeconds: 2, seed: 5 })
  const key = store.keyOf(result.url) ?? ''
  const found = await store.open(key)
  expect(found?.size).toBe(result.bytes)
  found?.content.destroy()
  expect(await readdir(join(folder, 'work'))).toEqual([])
})

it('knows a repeated submit by its key, and refuses another job under it', async () => {
  const render = await openRender()
  const key = randomUUID()
  const seedless = track({ seed: undefined })
  const first = await render.submit(seedless, { key })
  expect(await (await openRender()).submit(seedless, { key })).toEqual(first)
  expect(await render.submit(track({ prompt: 'other' }), { key }).catch(kindOf)).toBe('invalid')
  await ended(render, first.requestId)
  expect((await render.result(first.requestId)).seed).toEqual(expect.any(Number))
  expect(await render.status('render-of-nobody').catch(kindOf)).toBe('not_found')
})

it('makes a clip of a picture and a song that our store has, and of no others', async () => {
  const render = await openRender()
  const { requestId } = await render.submit(track({ seconds: 3 }), { key: randomUUID() })
  await ended(render, requestId)
  const { url: audioUrl } = await render.result(requestId)
  const canvas = createCanvas(60, 90)
  const picture = async function* (): AsyncGenerator<Uint8Array> {
    yield canvas.toBuffer('image/png')
  }
  const { url: imageUrl } = await store.put('content/picture.png', picture(), {
    contentType: 'image/png',
    overwrite: true,
  })
  const clip: RenderRequest = {
    kind: 'video',
    imageUrl,
    audioUrl,
    startSeconds: 0.5,
    durationSeconds: 2,
    caption: 'out now',
    template: 'artist-caption-stage',
    lipsync: false,
    upscale: false,
  }
  const made = await render.submit(clip, { key: randomUUID() })
  expect((await ended(render, made.requestId)).state).toBe('completed')
  const result = await render.result(made.requestId)
  expect(result).toMatchObject({ contentType: 'video/mp4', durationSeconds: 2, seed: null })
  const found = await store.open(store.keyOf(result.url) ?? '')
  const path = join(folder, 'clip.mp4')
  if (found !== undefined) await pipeline(found.content, createWriteStream(path))
  expect(await describeFile(path)).toMatch(/h264.*360x640/)

  const foreign = { ...clip, imageUrl: 'http://169.254.169.254/latest/meta-data' }
  expect(await render.submit(foreign, { key: randomUUID() }).catch(kindOf)).toBe('invalid')
  const absent = { ...clip, audioUrl: await store.publicUrl('music/absent.mp3') }
  const failed = await ended(render, (await render.submit(absent, { key: randomUUID() })).requestId)
  expect(failed.state).toBe('failed')
  expect(failed.logs.at(-1)?.message).toBe('The picture or the song is not there any more.')
})

it('takes over what a dead process has begun, and what a closed one has given back', async () => {
  const dead = await holdProcessLock(world.databaseUrl)
  const theirs = createRenderJobs(world.db, dead.processId)
  const survivor = await openRender()
  const id = 'render-of-the-dead'
  await theirs.insert(id, track())
  const claimed = await theirs.claim([])
  expect(claimed).toMatchObject({ id, attempt: 1 })
  // It is alive: nobody takes its job.
  expect(await createRenderJobs(world.db, 1).claim([])).toBeUndefined()
  await dead.close()
  expect((await ended(survivor, id)).state).toBe('completed')
  // What the dead one would still say is ignored.
  if (claimed !== undefined) await theirs.fail(claimed, 'too late')
  expect((await survivor.status(id)).state).toBe('completed')

  const closing = await openRender()
  const { requestId } = await closing.submit(track({ seconds: 60 }), { key: randomUUID() })
  await eventually('its first words', async () =>
    (await closing.status(requestId)).logs.length > 0 ? true : undefined,
  )
  await closing.close()
  const [row] = await world.db`select state, attempt from embedded_renders where id = ${requestId}`
  expect(row).toEqual({ state: 'queued', attempt: 0 })
  await world.db`delete from embedded_renders where id = ${requestId}`
})

it('ends a render whose time is over, and fails without an ffmpeg', async () => {
  const slow = await openRender({ limits: { timeoutMs: 300 } })
  const late = await ended(slow, (await slow.submit(track({ seconds: 300 }), { key: randomUUID() })).requestId)
  expect([late.state, late.logs.at(-1)?.message]).toEqual(['failed', 'Rendering took too long.'])
  const bare = await openRender({ findFfmpeg: () => Promise.resolve(undefined) })
  const without = await ended(bare, (await bare.submit(track(), { key: randomUUID() })).requestId)
  expect([without.state, without.logs.at(-1)?.message]).toEqual(['failed', 'This machine has no ffmpeg.'])
})

it('tries again what fails for no reason of the job, three times', async () => {
  const broken: StorePort = { ...store, put: () => Promise.reject(new ProviderFault('unavailable', 'store: away')) }
  const render = await openRender({ store: broken })
  const before = warnings.length
  const { state, logs } = await ended(render, (await render.submit(track(), { key: randomUUID() })).requestId)
  expect([state, logs.at(-1)?.message, warnings.length - before]).toEqual(['failed', 'The renderer failed.', 3])
})

it('forgets what ended long ago, with its files', async () => {
  const render = await openRender()
  const { requestId } = await render.submit(track(), { key: randomUUID() })
  await ended(render, requestId)
  const key = store.keyOf((await render.result(requestId)).url) ?? ''
  expect(await render.sweep(new Date(Date.now() - 60_000))).toBe(0)
  expect(await render.sweep(new Date(Date.now() + 60_000))).toBeGreaterThan(0)
  expect(await store.open(key)).toBeUndefined()
  expect(await render.status(requestId).catch(kindOf)).toBe('not_found')
})
