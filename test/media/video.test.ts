import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderMusic } from '../../providers/render/embedded/music/render.ts'
import { renderVideo, type VideoJob } from '../../providers/render/embedded/video/render.ts'
import { decodeAudio, describeFile, requireFfmpeg, readFrame, measurePeak } from './decoded.ts'

const frame = { width: 360, height: 640 }
let folder: string
let song: string

/** Makes a dark image with a bright square in the middle. */
function makePicture(): Buffer {
  const canvas = createCanvas(200, 300)
  const ctx = canvas.getContext('2d')
  ctx.fillStyle = '#203040'
  ctx.fillRect(0, 0, 200, 300)
  ctx.fillStyle = '#d04020'
  ctx.fillRect(70, 60, 60, 60)
  return canvas.toBuffer('image/png')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-video-'))
  await writeFile(join(folder, 'picture'), makePicture())
  const tools = { ffmpeg: await requireFfmpeg(), folder, log: () => {} }
  song = join(folder, (await renderMusic({ prompt: 'pop', lyrics: '', seconds: 4, seed: 1 }, tools)).file)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function render(overrides: Partial<VideoJob> = {}) {
  const logs: string[] = []
  const job: VideoJob = {
    imagePath: join(folder, 'picture'),
    audioPath: song,
    frame,
    startSeconds: 1,
    durationSeconds: 2,
    caption: 'out friday',
    template: 'artist-caption-bedroom',
    lipsync: false,
    upscale: false,
    ...overrides,
  }
  const clipFolder = await mkdtemp(join(folder, 'clip-'))
  const rendered = await renderVideo(job, {
    ffmpeg: await requireFfmpeg(),
    folder: clipFolder,
    log: (line) => logs.push(line),
  })
  return { ...rendered, path: join(clipFolder, rendered.file), logs }
}

type Pixels = { bright: number; rows: number[]; columns: number[] }

/** Finds the nearly white pixels of a frame: the letters of a caption. */
function findWhite(pixels: Buffer): Pixels {
  const indexes = Array.from({ length: frame.width * frame.height }, (_, at) => at).filter((at) =>
    [0, 1, 2].every((color) => (pixels[at * 3 + color] ?? 0) > 225),
  )
  return {
    bright: indexes.length,
    rows: indexes.map((at) => Math.floor(at / frame.width)),
    columns: indexes.map((at) => at % frame.width),
  }
}

function computeMean(pixels: Buffer): number {
  return pixels.reduce((sum, value) => sum + value, 0) / pixels.length
}

async function readAboveCaption(path: string, seconds: number): Promise<Buffer> {
  return (await readFrame(path, seconds)).subarray(0, frame.width * frame.height)
}

describe('a clip', () => {
  let clip: Awaited<ReturnType<typeof render>>
  beforeAll(async () => {
    const caption = 'the song I wrote the night you left is finally out on friday'
    clip = await render({ caption, lipsync: true, upscale: true })
  })

  it('is upright, H.264 and AAC, has its length and can play before it is complete', async () => {
    const { path, durationSeconds } = clip
    expect(durationSeconds).toBe(2)
    const description = await describeFile(path)
    expect(description).toMatch(/Video: h264 \(High\).*yuv420p.*360x640.*30 fps/)
    expect(description).toMatch(/Audio: aac.*44100 Hz, stereo/)
    const [, seconds] = /Duration: 00:00:([\d.]+)/.exec(description) ?? []
    expect(Math.abs(Number(seconds) - 2)).toBeLessThan(0.2)
    const bytes = await readFile(path)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    expect(measurePeak(await decodeAudio(path))).toBeGreaterThan(0.1)
  })

  it('shows the caption within the safe margins after it has faded in', async () => {
    const { bright, rows, columns } = findWhite(await readFrame(clip.path, 1.2))
    expect(bright).toBeGreaterThan(400)
    expect(Math.min(...columns)).toBeGreaterThanOrEqual(frame.width * 0.07)
    expect(Math.max(...columns)).toBeLessThanOrEqual(frame.width * 0.93)
    expect(Math.max(...rows)).toBeLessThanOrEqual(frame.height * 0.81)
    // More than one line.
    expect(Math.max(...rows) - Math.min(...rows)).toBeGreaterThan(frame.width * 0.12)
    expect(findWhite(await readFrame(clip.path, 0.1)).bright).toBeLessThan(bright / 4)
  })

  it('moves, begins and ends in black', async () => {
    const [first, early, late, last] = [
      await readAboveCaption(clip.path, 0),
      await readAboveCaption(clip.path, 0.5),
      await readAboveCaption(clip.path, 1.2),
      await readAboveCaption(clip.path, 1.96),
    ]
    const change = early.reduce((sum, value, at) => sum + Math.abs(value - (late[at] ?? 0)), 0) / early.length
    expect(change).toBeGreaterThan(0.5)
    expect(computeMean(first)).toBeLessThan(computeMean(early) / 3)
    expect(computeMean(last)).toBeLessThan(computeMean(late) / 3)
  })

  it('reports that upscaling and lip sync are not available', () => {
    expect(clip.logs).toEqual(
      expect.arrayContaining([
        'Upscale: not available, because this renderer has no model that adds detail.',
        'Lip sync: not available, because this renderer has no model of faces.',
      ]),
    )
  })
})

it('keeps a caption of any length inside the frame', async () => {
  const { path, logs } = await render({
    caption: `\u{10fffd} ${'unbreakable'.repeat(12)} ${'many words '.repeat(60)}`,
    template: 'album-record-store',
  })
  const { rows, columns } = findWhite(await readFrame(path, 1.2))
  expect(Math.max(...rows)).toBeLessThanOrEqual(frame.height * 0.81)
  expect(Math.min(...columns)).toBeGreaterThan(frame.width * 0.07)
  expect(logs).toContain('Caption: no font here has \u{10fffd}, which is left out.')
})

it('a clip ends with a shorter song, and unreadable files are rejected', async () => {
  const { durationSeconds, logs } = await render({ startSeconds: 3, durationSeconds: 30 })
  expect(durationSeconds).toBeGreaterThan(0.8)
  expect(durationSeconds).toBeLessThan(1.2)
  expect(logs.some((line) => line.startsWith('The song ends early'))).toBe(true)
  await expect(render({ startSeconds: 60 })).rejects.toThrow('The clip starts after the end of the song.')
  await expect(render({ audioPath: join(folder, 'picture') })).rejects.toThrow('The song is not a readable audio file.')
  // A playlist, which refers to other files.
  await writeFile(join(folder, 'list'), `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${song}\n#EXT-X-ENDLIST\n`)
  await expect(render({ audioPath: join(folder, 'list') })).rejects.toThrow('The song is not a readable audio file.')
  await writeFile(join(folder, 'page'), '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
  await expect(render({ imagePath: join(folder, 'page') })).rejects.toThrow('The image is not a PNG, JPEG or WebP.')
  await writeFile(join(folder, 'cut'), makePicture().subarray(0, 40))
  await expect(render({ imagePath: join(folder, 'cut') })).rejects.toThrow('The image is damaged.')
})
