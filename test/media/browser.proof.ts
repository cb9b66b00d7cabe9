import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { chromium, type BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ensureChromium } from '../../dev/system/chromium.ts'
import { print } from '../../dev/say.ts'
import { renderMusic } from '../../providers/render/embedded/music/render.ts'
import { renderVideo } from '../../providers/render/embedded/video/render.ts'
import { createWorld, type World } from '../world/world.ts'
import { requireFfmpeg } from './decoded.ts'

let world: World
let folder: string
let browser: BrowserContext | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-player-'))
  const executablePath = await ensureChromium(print)
  if (executablePath === undefined) return
  world = await createWorld({ worker: false })
  const tools = { ffmpeg: await requireFfmpeg(), folder, log: () => {} }
  const { file } = await renderMusic({ prompt: 'pop', lyrics: '', seconds: 12, seed: 1 }, tools)
  const track = join(folder, file)
  await writeFile(join(folder, 'picture'), createCanvas(60, 90).toBuffer('image/png'))
  const clip = await renderVideo(
    {
      imagePath: join(folder, 'picture'),
      audioPath: track,
      frame: { width: 180, height: 320 },
      startSeconds: 0,
      durationSeconds: 12,
      caption: 'seek',
      template: 'artist-caption-outside',
      lipsync: false,
      upscale: false,
    },
    tools,
  )
  const { store } = world.deps
  await store.put('music/track.mp3', createReadStream(track), { contentType: 'audio/mpeg', overwrite: true })
  await store.put('content/clip.mp4', createReadStream(join(folder, clip.file)), {
    contentType: 'video/mp4',
    overwrite: true,
  })
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--autoplay-policy=no-user-gesture-required']
  browser = await chromium.launchPersistentContext(join(folder, 'profile'), { executablePath, args })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(({ skip }) => {
  if (browser === undefined) skip('Chromium is not available')
})

/** Seeks near the end in the page, continues playing and returns the position. */
const seek = `new Promise((resolve, reject) => {
  const player = document.querySelector('video, audio')
  setTimeout(() => reject(new Error('readyState ' + player.readyState + ' at ' + player.currentTime)), 20000)
  player.onerror = () => reject(new Error('error ' + player.error.code + ' ' + player.error.message))
  const jump = () => {
    player.onseeked = () => {
      player.muted = true
      player.ontimeupdate = () => { if (player.currentTime > 9.2) resolve({ duration: player.duration, at: player.currentTime }) }
      player.play().catch(reject)
    }
    player.currentTime = 9
  }
  if (player.readyState > 0) jump()
  else player.onloadedmetadata = jump
})`

it.each(['music/track.mp3', 'content/clip.mp4'])('a browser that opens %s plays it and seeks in it', async (key) => {
  const page = await (browser as BrowserContext).newPage()
  await page.goto(`${world.baseUrl}/media/${key}`)
  const { duration, at } = await page.evaluate<{ duration: number; at: number }>(seek)
  expect(Math.abs(duration - 12)).toBeLessThan(0.2)
  expect(at).toBeGreaterThan(9)
  await page.close()
})
