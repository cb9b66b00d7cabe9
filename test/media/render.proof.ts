import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StorePort } from '../../providers/store/index.ts'
import { decodeAudio, describeFile, requireFfmpeg, measureLoudness, measurePeak, measureSeconds } from './decoded.ts'
import { createClip, createRenderWorld, awaitRenderEnd, track, type RenderWorld } from './render-world.ts'

let media: RenderWorld
beforeAll(async () => (media = await createRenderWorld()))
afterAll(() => media.close())

async function fetchTo(store: StorePort, url: string, path: string): Promise<string> {
  const object = await store.open(store.parseKey(url) ?? '')
  if (object === undefined) throw new Error('there is no such object')
  await pipeline(object.content, createWriteStream(path))
  return path
}

const picture = async function* (): AsyncGenerator<Uint8Array> {
  yield createCanvas(60, 90).toBuffer('image/png')
}

it('the render program and its encoder end when their parent process ends', async () => {
  const program = fileURLToPath(new URL('../../providers/render/embedded/program.mjs', import.meta.url))
  const child = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const request = { prompt: 'house', lyrics: '', seconds: 300, seed: 1 }
  child.stdin.write(
    `${JSON.stringify({ kind: 'music', ffmpeg: await requireFfmpeg(), folder: media.folder, request })}\n`,
  )
  await once(child.stdout, 'data')
  // The state of the pipe after its writer is killed.
  child.stdin.end()
  expect(await closed).toEqual([null, 'SIGKILL'])
})

it('renders a clip from an image and a rendered track', async () => {
  const { store, folder } = media
  const render = await media.openRender()
  const { requestId } = await render.submit(track({ seconds: 3 }), { key: randomUUID() })
  await awaitRenderEnd(render, requestId)
  const { url: audioUrl } = await render.result(requestId)
  const options = { contentType: 'image/png', overwrite: true }
  const { url: imageUrl } = await store.put('content/picture.png', picture(), options)
  const submission = await render.submit(createClip({ imageUrl, audioUrl }), { key: randomUUID() })
  expect((await awaitRenderEnd(render, submission.requestId)).state).toBe('completed')
  const result = await render.result(submission.requestId)
  expect(result).toMatchObject({ contentType: 'video/mp4', durationSeconds: 2, seed: null })
  expect(await describeFile(await fetchTo(store, result.url, join(folder, 'clip.mp4')))).toMatch(/h264.*360x640/)
})

it.each(['pop', 'folk'])(
  'a minute of %s renders faster than it plays, gets louder in its choruses and does not clip',
  async (prompt) => {
    const { store, folder } = media
    const render = await media.openRender()
    const { requestId } = await render.submit(track({ prompt, seconds: 60 }), { key: randomUUID() })
    expect((await awaitRenderEnd(render, requestId)).state).toBe('completed')
    const path = await fetchTo(store, (await render.result(requestId)).url, join(folder, 'track.mp3'))
    const samples = await decodeAudio(path)
    expect(Math.abs(measureSeconds(samples) - 60)).toBeLessThan(0.2)
    expect(measurePeak(samples)).toBeLessThan(1)
    const loudness = await measureLoudness(path)
    expect(loudness).toBeGreaterThan(-20)
    expect(loudness).toBeLessThan(-9)
    const measurePower = (from: number, to: number): number => {
      const part = samples.subarray(from * 88_200, to * 88_200)
      return part.reduce((sum, value) => sum + value * value, 0) / part.length
    }
    expect(measurePower(25, 35)).toBeGreaterThan(2 * measurePower(0, 3))
  },
)
