import { randomInt } from 'node:crypto'
import { existsSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createAudio } from '../../../providers/audio/ffmpeg.ts'
import { createMediaConfinement, runRender } from '../../../providers/render/embedded/child.ts'
import { bareLevels } from '../../../providers/sandbox/confined/bare.ts'
import { bubblewrapLevel } from '../../../providers/sandbox/confined/bubblewrap.ts'
import { createConfinement } from '../../../providers/sandbox/confined/index.ts'
import { createContentApi, picture, smallClips, song } from '../../content/content-api.ts'
import { requireFfmpeg } from '../../media/decoded.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { watchChildren } from './child-watch.ts'

const isRoot = process.getuid?.() === 0
const canary = `canary-${randomInt(1e12)}`
const secret = `secret of this machine ${randomInt(1e12)}`
let world: World
let folder: string
let secretFile: string
let encoder: string
let connections = 0
const listener = createServer((socket) => {
  connections++
  socket.destroy()
})

/** Replaces ffmpeg with a script that runs `attack` before the real program. */
const installEncoder = async (attack = ''): Promise<void> => {
  await writeFile(`${encoder}.new`, `#!/bin/sh\n${attack}\nexec ${await requireFfmpeg()} "$@"\n`, { mode: 0o755 })
  await rename(`${encoder}.new`, encoder)
}

beforeAll(async () => {
  process.env['BACKLINE_CANARY'] = canary
  folder = await mkdtemp(join(tmpdir(), 'backline-decoders-'))
  secretFile = join(folder, 'secret')
  encoder = join(folder, 'ffmpeg')
  await writeFile(secretFile, secret, { mode: 0o600 })
  await installEncoder()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  world = await createWorld({
    settings: { ...smallClips, FFMPEG_PATH: encoder, PRICE_OVERRIDES: '{"content_video":1000}' },
  })
})
afterAll(async () => {
  delete process.env['BACKLINE_CANARY']
  await world.close()
  await new Promise((resolve) => listener.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

const { makeArtist, makeOwner, makeRepository, start, untilEnded } = createContentApi(() => world)

const makeVideo = async (files: Record<string, Uint8Array>) => {
  const account = await world.makeAccount({ credits: 100_000 })
  await makeRepository(account, files)
  const [id = ''] = await start(account, { artist_account_id: await makeArtist(account) })
  return untilEnded(account, id)
}

/** An empty ID3 tag, with which most MP3 files begin. */
const id3 = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1')
const getBaitUrl = (): string => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/a.ts`
const createPlaylist = (): Buffer =>
  Buffer.from(
    `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile://${secretFile}\n#EXTINF:4,\n${getBaitUrl()}\n#EXT-X-ENDLIST\n`,
  )
const createConcatenation = (): Buffer =>
  Buffer.from(`ffconcat version 1.0\nfile '${secretFile}'\nfile '${getBaitUrl()}'\n`)

/** Creates a stream with one line and no end. */
const createOpenStream = (line: string): Readable => {
  const stream = new Readable({ read: () => {} })
  stream.push(line)
  return stream
}

/** Creates a PNG whose header declares this size and that contains no pixels. */
const makePng = (width: number, height: number): Buffer => {
  const bytes = Buffer.from(picture().subarray(0, 60))
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

describe('a song file that is a playlist', () => {
  test('opens no local file and no connection, with or without an ID3 tag before it', async () => {
    const songs = [
      createPlaylist(),
      Buffer.concat([id3, createPlaylist()]),
      Buffer.concat([id3, createConcatenation()]),
    ]
    const runs = await Promise.all(
      songs.map((bytes) => makeVideo({ 'nova-quartet/cover.png': picture(), 'nova-quartet/songs/a.mp3': bytes })),
    )
    expect(runs.map(({ status }) => status)).toEqual(songs.map(() => 'FAILED'))
    expect(JSON.stringify(runs)).not.toContain(secret)
    expect(connections).toBe(0)
  })

  test.each([
    ['bubblewrap', [bubblewrapLevel]],
    ['no bubblewrap', bareLevels],
  ])(
    'opens neither a local file nor a connection with %s, even if ffmpeg follows the playlist',
    async (name, levels) => {
      const probe = { argv: ['sh', '-c', 'echo works'], readable: [] }
      const confinement = createConfinement({ root: join(folder, 'sandboxes'), probe, levels })
      const { isolation } = await confinement.describe()
      expect(isolation).toContain('no network')
      const workFolder = await mkdtemp(join(folder, 'work-'))
      await writeFile(join(workFolder, 'list'), createConcatenation())
      const real = await requireFfmpeg()
      const follow = ['-protocol_whitelist', 'file,http,tcp,pipe', '-f', 'concat', '-safe', '0', '-i', 'list']
      const script = `"$0" -hide_banner ${follow.join(' ')} -f data pipe:1 2>&1; cat ${secretFile} 2>&1; "$0" -hide_banner -i ${getBaitUrl()} 2>&1`
      const { output } = await confinement.run(
        { argv: ['sh', '-c', script, real], readable: [real], folder: workFolder },
        { timeoutMs: 30_000, maxOutputBytes: 100_000 },
      )
      expect(output.toString()).toContain('list')
      // Without bubblewrap, a process of a non-root user can read the files of that user.
      if (isRoot || name === 'bubblewrap') expect(output.toString()).not.toContain(secret)
      expect(connections).toBe(0)
    },
  )
})

test('the built decoder can run without bubblewrap, with or without a separate user', async () => {
  const program = join(dirname(inject('built').worker), 'render-program.js')
  const probe = { argv: ['sh', '-c', 'echo works'], readable: [] }
  for (const level of bareLevels.slice(isRoot ? 0 : 1)) {
    const confinement = createConfinement({ root: join(folder, 'sandboxes'), probe, levels: [level] })
    const workFolder = await mkdtemp(join(folder, 'work-'))
    await writeFile(join(workFolder, 'song'), song())
    const line = `${JSON.stringify({ kind: 'levels', ffmpeg: await requireFfmpeg(), song: 'song' })}\n`
    const { output } = await confinement.run(
      { argv: [process.execPath, program], readable: [], folder: workFolder },
      { stdin: createOpenStream(line), timeoutMs: 60_000, maxOutputBytes: 100_000 },
    )
    expect(output.toString()).toContain('{"heard":{"seconds":12,')
  }
})

describe('an image', () => {
  test('of 23000 x 23000 pixels is rejected by its header, with a message for its owner', async () => {
    const run = await makeVideo({
      'nova-quartet/cover.png': makePng(23_000, 23_000),
      'nova-quartet/songs/a.wav': song(),
    })
    expect(run.status).toBe('FAILED')
    expect(JSON.stringify(run)).toContain('The image has 23000 x 23000 pixels: make it smaller than 60 megapixels.')
  })

  test('whose decoder exceeds its memory limit ends only the decoder process', async () => {
    const limits = { memoryBytes: 300 * 1024 ** 2, dataBytes: 300 * 1024 ** 2 }
    for (const levels of [[bubblewrapLevel], bareLevels]) {
      const probe = { argv: ['sh', '-c', 'echo works'], readable: [] }
      const confinement = createConfinement({ root: join(folder, 'sandboxes'), probe, levels, limits })
      const workFolder = await mkdtemp(join(folder, 'work-'))
      const bomb = 'const held = []; for (;;) held.push(Buffer.alloc(50_000_000, 1))'
      const result = await confinement.run(
        {
          argv: ['sh', '-c', '"$0" -e "$1" || echo ended', process.execPath, bomb],
          readable: [process.execPath],
          folder: workFolder,
        },
        { timeoutMs: 60_000, maxOutputBytes: 100_000 },
      )
      expect([result.timedOut, result.output.toString()]).toEqual([false, 'ended\n'])
    }
  })
})

describe('a compromised decoder', () => {
  const sleep = `600.${randomInt(1e9)}`
  const isSleeping = async (): Promise<boolean> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    return lines.some((line) => line.includes(sleep))
  }

  test('that does not exit is ended with all its child processes', async () => {
    await installEncoder(`sleep ${sleep} & exec sleep ${sleep}`)
    const confinement = createMediaConfinement({ root: join(folder, 'sandboxes') })
    const workFolder = join(folder, 'endless')
    await mkdir(workFolder, { mode: 0o700 })
    await writeFile(join(workFolder, 'song'), song())
    const findFfmpeg = () => Promise.resolve(encoder)
    const listening = createAudio({ findFfmpeg, confinement, timeoutMs: 4000 }).measureLevels(join(workFolder, 'song'))
    await expect(listening).rejects.toThrow('Analyzing the song took too long.')
    const rendering = runRender(
      { kind: 'music', ffmpeg: encoder, request: { prompt: 'house', lyrics: '', seconds: 2, seed: 1 } },
      { timeoutMs: 6000, heapMegabytes: 256 },
      { confinement, folder: workFolder, onLog: () => {}, signal: new AbortController().signal },
    )
    await expect(rendering).rejects.toThrow('Rendering took too long.')
    await eventually('the end of the child processes of ffmpeg', async () => !(await isSleeping()) || undefined)
    await installEncoder()
  })

  test('cannot return a local file as its output', async () => {
    await installEncoder(`case "$*" in *libx264*) rm -f clip.mp4; ln -s ${secretFile} clip.mp4; exit 0;; esac`)
    const run = await makeVideo({ 'nova-quartet/cover.png': picture(), 'nova-quartet/songs/a.wav': song() })
    expect(run.status).toBe('FAILED')
    await installEncoder()
  })
})

test("no child process has the worker's environment, and decoders have neither its user nor its network", async () => {
  // Each decoder runs longer than a sample of all processes on a busy machine.
  await installEncoder('sleep 2')
  const watch = watchChildren(process.pid)
  const { account, artistId } = await makeOwner()
  const [id = ''] = await start(account, { artist_account_id: artistId })
  expect((await untilEnded(account, id)).status).toBe('COMPLETED')
  const children = await watch.stop()
  const names = new Set(children.map(({ name }) => name))
  for (const name of ['node', 'ffmpeg', ...(existsSync('/usr/bin/bwrap') ? ['bwrap'] : [])])
    expect(names).toContain(name)
  expect(children.filter(({ environment }) => environment.includes(canary)).map(({ name }) => name)).toEqual([])
  const ownNetwork = readlinkSync('/proc/self/ns/net')
  // `-version` reads no external file.
  const decoders = children.filter(({ name, argv }) => name === 'ffmpeg' && argv.at(-1) !== '-version')
  expect(decoders.length).toBeGreaterThan(0)
  for (const { argv, uid, network, capabilities } of decoders) {
    expect([argv, network === ownNetwork]).toEqual([argv, false])
    expect([argv, Number.parseInt(capabilities, 16)]).toEqual([argv, 0])
    if (isRoot) expect(uid).toBeGreaterThan(0)
  }
  await installEncoder()
})
