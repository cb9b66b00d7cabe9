import { randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRenderJobs } from '../../db/music/embedded-renders.ts'
import { holdProcessLock } from '../../db/postgres/process-lock.ts'
import { eventually } from '../world/world.ts'
import { decodeAudio, measurePeak, measureSeconds } from './decoded.ts'
import {
  createClip,
  createRenderWorld,
  awaitRenderEnd,
  readErrorKind,
  track,
  type RenderWorld,
} from './render-world.ts'

let media: RenderWorld
beforeAll(async () => (media = await createRenderWorld()))
afterAll(() => media.close())

it('the renderer renders a track, reports its progress and delivers it through the store', async () => {
  const { store, folder } = media
  const render = await media.openRender()
  const { requestId } = await render.submit(track(), { key: 'generation 1' })
  expect(await render.result(requestId).catch(readErrorKind)).toBe('not_found')
  const { state, logs } = await awaitRenderEnd(render, requestId)
  expect(state).toBe('completed')
  expect(logs[0]?.message).toMatch(/^Composed: house, \d+ bpm/)
  const result = await render.result(requestId)
  expect(result).toMatchObject({ contentType: 'audio/mpeg', durationSeconds: 2, seed: 5 })
  const key = store.parseKey(result.url) ?? ''
  const object = await store.open(key)
  expect(object?.size).toBe(result.bytes)
  object?.content.destroy()
  await eventually('an empty work folder', async () =>
    (await readdir(join(folder, 'work'))).length === 0 ? true : undefined,
  )

  expect(await render.sweep(new Date(Date.now() - 60_000))).toBe(0)
  expect(await render.sweep(new Date(Date.now() + 60_000))).toBe(1)
  expect(await store.open(key)).toBeUndefined()
  expect(await render.status(requestId).catch(readErrorKind)).toBe('not_found')
})

it('the renderer recognizes a repeated submission by its key and rejects another job with the same key', async () => {
  const idle = { findFfmpeg: () => Promise.resolve(undefined) }
  const render = await media.openRender(idle)
  const key = randomUUID()
  const seedless = track({ seed: undefined })
  const first = await render.submit(seedless, { key })
  expect(await (await media.openRender(idle)).submit(seedless, { key })).toEqual(first)
  expect(await render.submit(track({ prompt: 'other' }), { key }).catch(readErrorKind)).toBe('invalid')
  await awaitRenderEnd(render, first.requestId)
  // Every attempt renders the same track.
  const [row] = await media.world
    .db`select request ->> 'seed' as seed from embedded_renders where id = ${first.requestId}`
  expect(row?.['seed']).toMatch(/^\d+$/)
  expect(await render.status('absent-render').catch(readErrorKind)).toBe('not_found')
})

it('the renderer claims jobs that a dead process started or a closed renderer released', async () => {
  const deadProcess = await holdProcessLock(media.world.databaseUrl)
  const deadWorkerJobs = createRenderJobs(media.world.db, deadProcess.processId, [])
  const liveRender = await media.openRender()
  const id = 'render-of-the-dead'
  await deadWorkerJobs.insert(id, track())
  const claimed = await deadWorkerJobs.claim([], 1)
  expect(claimed).toMatchObject({ id, attempt: 1 })
  // The process is alive, so its job is not taken over.
  expect(await createRenderJobs(media.world.db, 1, []).claim([], 1)).toBeUndefined()
  await deadProcess.close()
  expect((await awaitRenderEnd(liveRender, id)).state).toBe('completed')
  // A late report of the dead process is ignored.
  if (claimed !== undefined) await deadWorkerJobs.update(claimed, { state: 'failed' })
  expect((await liveRender.status(id)).state).toBe('completed')

  const closingRender = await media.openRender()
  const { requestId } = await closingRender.submit(track({ seconds: 60 }), { key: randomUUID() })
  await eventually('its first log line', async () =>
    (await closingRender.status(requestId)).logs.length > 0 ? true : undefined,
  )
  await closingRender.close()
  const [row] = await media.world.db`select state, attempt from embedded_renders where id = ${requestId}`
  expect(row).toEqual({ state: 'queued', attempt: 0 })
  await media.world.db`delete from embedded_renders where id = ${requestId}`
})

it('the renderer cancels a render that another renderer executes', async () => {
  const [theirs, ours] = [await media.openRender({ watchIntervalMs: 50 }), await media.openRender()]
  const { requestId } = await theirs.submit(track({ seconds: 60 }), { key: randomUUID() })
  await eventually('its first log line', async () =>
    (await theirs.status(requestId)).logs.length > 0 ? true : undefined,
  )
  await ours.cancel(requestId)
  const { state, logs } = await theirs.status(requestId)
  expect([state, logs.at(-1)?.message]).toEqual(['failed', 'Cancelled.'])
  await eventually('an empty work folder', async () =>
    (await readdir(join(media.folder, 'work'))).length === 0 ? true : undefined,
  )
  await theirs.close()
  // The cancelled render delivers no file, and an ended job accepts no further log lines.
  const [row] = await media.world.db`select state, attempt, file from embedded_renders where id = ${requestId}`
  expect(row).toEqual({ state: 'failed', attempt: 1, file: null })
  for (const ending of ['mp3', 'wav']) expect(await media.store.open(`renders/${requestId}.${ending}`)).toBeUndefined()
  for (const endedId of [requestId, 'absent-render']) await ours.cancel(endedId)
  expect((await ours.status(requestId)).logs).toHaveLength(logs.length)
})

it('the renderer ends a render that exceeds its time limit', async () => {
  const slow = await media.openRender({ limits: { timeoutMs: 300 } })
  const timedOut = await awaitRenderEnd(
    slow,
    (await slow.submit(track({ seconds: 300 }), { key: randomUUID() })).requestId,
  )
  expect([timedOut.state, timedOut.logs.at(-1)?.message]).toEqual(['failed', 'Rendering took too long.'])
})

it('the renderer without ffmpeg renders a track as WAV and rejects a video', async () => {
  const withoutFfmpeg = await media.openRender({ findFfmpeg: () => Promise.resolve(undefined) })
  const { requestId } = await withoutFfmpeg.submit(track({ seconds: 2 }), { key: randomUUID() })
  expect((await awaitRenderEnd(withoutFfmpeg, requestId)).state).toBe('completed')
  const { url, contentType, durationSeconds } = await withoutFfmpeg.result(requestId)
  expect([contentType, durationSeconds]).toEqual(['audio/wav', 2])
  const wav = await media.store.open(media.store.parseKey(url) ?? '')
  const bytes = await buffer(wav?.content ?? Readable.from([]))
  expect(bytes.subarray(0, 12).toString('latin1')).toMatch(/^RIFF....WAVE$/s)
  expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
  const path = join(media.folder, 'bare.wav')
  await writeFile(path, bytes)
  const samples = await decodeAudio(path)
  expect(measureSeconds(samples)).toBeCloseTo(2, 2)
  expect(measurePeak(samples)).toBeGreaterThan(0.1)
  const clip = await withoutFfmpeg.submit(createClip({ imageUrl: url, audioUrl: url }), { key: randomUUID() })
  const refused = await awaitRenderEnd(withoutFfmpeg, clip.requestId)
  expect([refused.state, refused.logs.at(-1)?.message]).toEqual([
    'failed',
    'The renderer has no ffmpeg, which videos require: install ffmpeg, or set FFMPEG_PATH.',
  ])
})

it('the renderer attempts a job three times if the errors are unrelated to the job', async () => {
  const render = await media.openRender({ findFfmpeg: () => Promise.reject(new Error('out of luck')) })
  const before = media.warnings.length
  const { state, logs } = await awaitRenderEnd(render, (await render.submit(track(), { key: randomUUID() })).requestId)
  expect([state, logs.at(-1)?.message, media.warnings.length - before]).toEqual(['failed', 'The renderer failed.', 3])
})

it('the renderer reads images and songs only from its store', async () => {
  const render = await media.openRender()
  const [imageUrl, audioUrl] = [
    await media.store.publicUrl('content/a.png'),
    await media.store.publicUrl('music/a.mp3'),
  ]
  const foreign = createClip({ imageUrl: 'http://169.254.169.254/latest/meta-data', audioUrl })
  expect(await render.submit(foreign, { key: randomUUID() }).catch(readErrorKind)).toBe('invalid')
  const { requestId } = await render.submit(createClip({ imageUrl, audioUrl }), { key: randomUUID() })
  const { state, logs } = await awaitRenderEnd(render, requestId)
  expect([state, logs.at(-1)?.message]).toEqual(['failed', 'The image or the song no longer exists.'])
})
