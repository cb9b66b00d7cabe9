import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeAudio, describeFile, readFrame, measurePeak } from '../media/decoded.ts'
import { createFakeModel, type FakeModel } from '../world/models/fake-model.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createContentApi, loudPart, picture, smallClips, song } from './content-api.ts'
import { createHeldEncoder } from './held-encoder.ts'

let world: World
let model: FakeModel
let folder: string
let encoder: Awaited<ReturnType<typeof createHeldEncoder>>
let owner: TestAccount
let artistId: string
beforeAll(async () => {
  model = await createFakeModel()
  folder = await mkdtemp(join(tmpdir(), 'backline-videos-'))
  encoder = await createHeldEncoder(folder)
  world = await createWorld({
    settings: {
      ...smallClips,
      FFMPEG_PATH: encoder.path,
      MODEL_BASE_URL: model.url,
      SMALL_MODEL: 'custom/small',
      PRICE_OVERRIDES: '{"content_video":1000}',
    },
  })
  ;({ account: owner, artistId } = await makeOwner())
})
afterAll(async () => {
  await world.close()
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

const { cancel, create, makeArtist, makeOwner, makeRepository, readRun, start, countRows, untilEnded } =
  createContentApi(() => world)

const download = async (url: string): Promise<{ path: string; type: string | null }> => {
  const response = await world.fetch('GET', new URL(url).pathname)
  expect(response.status).toBe(200)
  const path = join(folder, url.split('/').at(-1) ?? '')
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  return { path, type: response.headers.get('content-type') }
}

async function* toStream(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

const frame = { width: 360, height: 640 }

/** Returns the rows and columns that the white letters cover. */
const measureLetters = (pixels: Buffer) => {
  const white = Array.from({ length: frame.width * frame.height }, (_, at) => at).filter((at) =>
    [0, 1, 2].every((color) => (pixels[at * 3 + color] ?? 0) > 225),
  )
  return { rows: white.map((at) => Math.floor(at / frame.width)), columns: white.map((at) => at % frame.width) }
}

describe('a video', () => {
  test("is made from the artist's folder, with the loud part of the song and a caption from the model", async () => {
    model.always({ text: '<caption>turn it up until the room moves</caption>' })
    const [runId = ''] = await start(owner, { artist_account_id: artistId, caption_length: 'short' })
    const run = await untilEnded(owner, runId)
    expect(run).toMatchObject({ status: 'COMPLETED', taskIdentifier: 'create-content', error: null })
    const { output } = run
    expect(output).toEqual({
      videoSourceUrl: `${world.config.baseUrl}/media/content/${runId}.mp4`,
      imageUrl: `${world.config.baseUrl}/media/content/${runId}.png`,
      captionText: 'turn it up until the room moves',
      template: 'artist-caption-bedroom',
      lipsync: false,
      audio: {
        songTitle: 'Midnight Arcade',
        songFilename: '01 midnight-arcade.wav',
        startSeconds: expect.any(Number),
        durationSeconds: 2,
        clipLyrics: null,
        clipMood: null,
      },
    })
    expect(output.audio.startSeconds).toBeGreaterThanOrEqual(loudPart.from - 0.5)
    expect(output.audio.startSeconds).toBeLessThanOrEqual(loudPart.to - 2)
    const prompt = JSON.stringify(model.requests.at(-1)?.body.messages)
    expect(prompt).toContain('Midnight Arcade')
    expect(prompt).toContain('Nova Quartet')

    const { path, type } = await download(output.videoSourceUrl)
    expect(type).toBe('video/mp4')
    const description = await describeFile(path)
    expect(description).toMatch(/Video: h264 .*360x640/)
    expect(description).toMatch(/Duration: 00:00:0(?:1\.9|2\.[01])/)
    expect(measurePeak(await decodeAudio(path))).toBeGreaterThan(0.2)
    const pixels = await readFrame(path, 1.1)
    expect(new Set(pixels).size).toBeGreaterThan(100)
    const { rows, columns } = measureLetters(pixels)
    expect(rows.length).toBeGreaterThan(300)
    expect([Math.min(...columns) >= 0.07 * 360, Math.max(...columns) <= 0.93 * 360]).toEqual([true, true])
    expect(Math.max(...rows)).toBeLessThanOrEqual(0.81 * 640)
    const image = await download(output.imageUrl)
    expect(image.type).toBe('image/png')
    expect(await countRows(runId)).toMatchObject({ debits: 1, holds: 0 })
    expect((await world.fetch('GET', `/media/content/${runId}-song.wav`)).status).toBe(404)
  })

  test('has a default caption if the model fails', async () => {
    model.always({ status: 400, body: '{}' })
    const body = { artist_account_id: artistId, caption_length: 'medium', template: 'artist-release-editorial' }
    const [runId = ''] = await start(owner, { ...body, lipsync: true })
    expect((await untilEnded(owner, runId)).output).toMatchObject({
      captionText: 'Nova Quartet releases “Midnight Arcade”',
      lipsync: true,
    })
  })

  test('can be made from URLs, reads stored files without a fetch, and has a caption only on request', async () => {
    const account = await world.makeAccount({ credits: 100_000 })
    const ownArtistId = await makeArtist(account)
    const put = (key: string, content: Buffer, contentType: string) =>
      world.deps.store.put(key, toStream(content), { contentType, overwrite: true })
    const image = await put('content/given.png', picture(), 'image/png')
    const audio = await put('content/given-tune.wav', song(), 'audio/wav')
    const before = model.requests.length
    const body = {
      artist_account_id: ownArtistId,
      images: [image.url],
      songs: [audio.url],
      template: 'album-record-store',
    }
    const [runId = ''] = await start(account, body)
    const { output } = await untilEnded(account, runId)
    expect(output).toMatchObject({
      captionText: '',
      template: 'album-record-store',
      audio: { songTitle: 'Given Tune' },
    })
    expect(model.requests).toHaveLength(before)
  })

  test("made from the account's own track uses the lyrics of the track and a mood from the model", async () => {
    const { account, artistId: ownArtistId } = await makeOwner()
    const audio = await world.deps.store.put('music/lights.wav', toStream(song()), {
      contentType: 'audio/wav',
      overwrite: true,
    })
    await world.db`
      insert into music_generations (id, account_id, run_id, model, prompt, lyrics, parameters, status, storage_key)
      values (gen_random_uuid(), ${account.id}, 'run_lights', 'local', 'slow house', 'All the lights are out', '{}',
        'completed', 'music/lights.wav')`
    model.always({ text: '<mood>Quiet longing</mood>' })
    const createAudio = async (maker: TestAccount, artist: string) => {
      const [runId = ''] = await start(maker, { artist_account_id: artist, songs: [audio.url] })
      const { output } = await untilEnded(maker, runId)
      expect(output.captionText).toBe('')
      return output.audio
    }
    const expected = { clipLyrics: 'All the lights are out', clipMood: 'quiet longing' }
    expect(await createAudio(account, ownArtistId)).toMatchObject({ songTitle: 'Lights', ...expected })
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('slow house')
    // Details of another account's track are not shown.
    expect(await createAudio(owner, artistId)).toMatchObject({ clipLyrics: null, clipMood: null })
  })

  test('that is cancelled during its render ends the render and leaves no files', async () => {
    let runId = ''
    const untilEncoderEnds = await encoder.whileHeld(async () => {
      runId = (await start(owner, { artist_account_id: artistId }))[0] ?? ''
    })
    const readRender = async () => {
      const [row] = await world.db<{ id: string; state: string; lastLog: string | null }[]>`
        select render.id, render.state, render.logs -> -1 ->> 'message' as last_log
        from embedded_renders render join content_runs content on content.provider_request_id = render.id
        where content.run_id = ${runId}`
      return row
    }
    expect((await cancel(owner, runId)).status).toBe(200)
    const { id } = await eventually('the end of the render', async () => {
      const render = await readRender()
      return render?.state === 'failed' ? render : undefined
    })
    expect((await readRender())?.lastLog).toBe('Cancelled.')
    await untilEncoderEnds()
    const work = join(world.config.DATA_DIR, 'renders')
    await eventually('the end of work on the video', async () =>
      (await readdir(work)).some((name) => name.startsWith(id)) ? undefined : true,
    )
    const runFiles = ['.mp4', '.png', '-song.wav'].map((end) => `content/${runId}${end}`)
    for (const path of [`renders/${id}.mp4`, ...runFiles])
      expect([path, (await world.fetch('GET', `/media/${path}`)).status]).toEqual([path, 404])
    expect(await countRows(runId)).toMatchObject({ debits: 0, holds: 0 })
  })

  test.each([
    [
      { songs: ['another.mp3'] },
      'There is no song called another.mp3 in the folder nova-quartet of the source repository.',
    ],
    [{ images: ['https://no-such-host.invalid/a.png'] }, 'The image or the song could not be read.'],
  ])('from %j fails with an error that names the missing source, and costs nothing', async (more, message) => {
    const [runId = ''] = await start(owner, { artist_account_id: artistId, ...more })
    const run = await untilEnded(owner, runId)
    expect([run.status, run.error?.message, 'output' in run]).toEqual(['FAILED', message, false])
    expect(await countRows(runId)).toMatchObject({ debits: 0, holds: 0 })
  })

  test('from a file that is not an image fails even if its name ends with .png', async () => {
    const account = await world.makeAccount({ credits: 100_000 })
    await makeRepository(account, {
      'artists/nova-quartet/a.png': Buffer.from('<svg/>'),
      'artists/nova-quartet/b.wav': song(),
    })
    const [runId = ''] = await start(account, { artist_account_id: await makeArtist(account) })
    const { error } = await untilEnded(account, runId)
    expect(error?.message).toBe('The image must be a PNG, JPEG or WebP of at most 20 MiB.')
  })
})

describe('a batch', () => {
  test('is stored immediately and rendered at most three runs at a time, and each run can be cancelled', async () => {
    const { account, artistId: ownArtistId } = await makeOwner()
    model.always({ delayMs: Infinity })
    const runIds = await start(account, { artist_account_id: ownArtistId, batch: 4, caption_length: 'short' })
    expect(new Set(runIds).size).toBe(4)
    const listStates = async () =>
      (await Promise.all(runIds.map((id) => readRun(account, id)))).map(({ status }) => status).toSorted()
    await eventually('three concurrent videos', async () =>
      (await listStates()).filter((status) => status === 'EXECUTING').length === 3 ? true : undefined,
    )
    expect(await listStates()).toEqual(['EXECUTING', 'EXECUTING', 'EXECUTING', 'QUEUED'])
    for (const id of runIds) {
      expect((await cancel(account, id)).status).toBe(200)
      expect((await readRun(account, id)).status).toBe('CANCELED')
      expect(await countRows(id)).toMatchObject({ debits: 0, holds: 0 })
      expect((await world.fetch('GET', `/media/content/${id}.png`)).status).toBe(404)
    }
    const rows = await world.db`select distinct state, error from content_runs where run_id = any(${runIds})`
    expect(rows).toEqual([{ state: 'failed', error: 'The run was cancelled.' }])
  })

  test('that the credits do not cover stores nothing, and a repeated request creates no second batch', async () => {
    const { account, artistId: ownArtistId } = await makeOwner()
    await world.db`update credit_balances set remaining_credits = 2500 where account_id = ${account.id}`
    const unaffordable = await create({ key: account.key }, { artist_account_id: ownArtistId, batch: 3 })
    expect([unaffordable.status, unaffordable.body]).toMatchObject([
      402,
      { required_credits: 3000, remaining_credits: 2500 },
    ])
    expect(await world.db`select 1 from content_runs where account_id = ${account.id}`).toEqual([])
    expect(await world.db`select 1 from credit_holds where account_id = ${account.id}`).toEqual([])
    const sent = { key: account.key, headers: { 'idempotency-key': 'two-videos' } }
    const body = { artist_account_id: ownArtistId, batch: 2, template: 'artist-caption-stage' }
    const [first, second] = [await create(sent, body), await create(sent, body)]
    expect(second.body).toEqual(first.body)
    expect(first.body).toMatchObject({ status: 'triggered', template: 'artist-caption-stage', lipsync: false })
    for (const id of first.body.runIds) await cancel(account, id)
    for (const id of first.body.runIds) await untilEnded(account, id)
  })
})

test('videos are listed newest first and page by page, with the request and its result', async () => {
  const account = await world.makeAccount()
  const body = {
    template: 'album-record-store',
    lipsync: true,
    upscale: false,
    captionLength: 'short',
    songs: ['a.mp3'],
  }
  const add = async (runId: string, minute: number, ends: object = {}): Promise<void> => {
    await world.db`
      insert into content_runs ${world.db({
        run_id: runId,
        account_id: account.id,
        artist_account_id: artistId,
        artist_name: 'Nova Quartet',
        wish: world.db.json({ ...body, images: [] }),
        turn: 0,
        created_at: new Date(Date.UTC(2026, 0, 1, 12, minute)),
        state: 'queued',
        ...ends,
      })}`
  }
  await add('run_a', 1, { state: 'failed', error: 'The video took too long.' })
  await add('run_b', 2, { state: 'completed', video_key: 'content/run_b.mp4', image_key: 'content/run_b.png' })
  await add('run_c', 3)
  type Page = { videos: { runId: string; status: string }[]; next_cursor: string | null }
  const list = async (query: string): Promise<Page> =>
    (await world.request<Page>('GET', `/api/content/videos?${query}`, { key: account.key })).body
  const first = await list('limit=2')
  const second = await list(`limit=2&cursor=${first.next_cursor}`)
  expect([...first.videos, ...second.videos].map(({ runId, status }) => [runId, status])).toEqual([
    ['run_c', 'queued'],
    ['run_b', 'completed'],
    ['run_a', 'failed'],
  ])
  expect(second.next_cursor).toBeNull()
  expect((await list(`artist_account_id=${account.id}`)).videos).toEqual([])
  const read = (runId: string, { key }: TestAccount) => world.request('GET', `/api/content/videos/${runId}`, { key })
  expect((await read('run_b', account)).body).toMatchObject({
    video: {
      videoSourceUrl: `${world.config.baseUrl}/media/content/run_b.mp4`,
      imageUrl: `${world.config.baseUrl}/media/content/run_b.png`,
      template: 'album-record-store',
      lipsync: true,
      caption_length: 'short',
      songs: ['a.mp3'],
      error: null,
      cancellable: false,
    },
  })
  expect((await read('run_a', account)).body).toMatchObject({ video: { error: 'The video took too long.' } })
  expect((await read('run_b', owner)).status).toBe(404)
  await world.db`delete from content_runs where account_id = ${account.id}`
})

describe('a request', () => {
  test.each([
    [{ template: 'no-such' }, ['template']],
    [{ batch: 31 }, ['batch']],
    [{ caption_length: 'huge' }, ['caption_length']],
    [{ lipsync: 'yes' }, ['lipsync']],
    [{ images: ['http://example.com/a.png'] }, ['images', 0]],
    [{ images: ['https://example.com/a.png', 'https://10.0.0.1/a.png'] }, ['images', 1]],
    [{ images: ['https://[::1]/a.png'] }, ['images', 0]],
    [{ songs: ['https://user@example.com/a.mp3'] }, ['songs', 0]],
    [{ songs: ['file:///etc/passwd'] }, ['songs', 0]],
    [{ songs: [''] }, ['songs', 0]],
    [{ artist_account_id: 'none' }, ['artist_account_id']],
  ])('with %j is rejected with its field', async (more, fields) => {
    const response = await create({ key: owner.key }, { artist_account_id: artistId, ...more })
    expect([response.status, response.body.missing_fields]).toEqual([400, fields])
  })

  test('requires an artist of the account, and source URLs if the account has no repository', async () => {
    const outsider = await world.makeAccount()
    const unknown = { artist_account_id: '7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa' }
    expect((await create({ key: outsider.key }, unknown)).status).toBe(404)
    expect((await create({ key: outsider.key }, { artist_account_id: artistId })).status).toBe(403)
    const ownArtistId = await makeArtist(outsider, '')
    expect((await create({ key: outsider.key }, { artist_account_id: ownArtistId })).status).toBe(404)
    await world.db`update accounts set name = 'Named' where id = ${ownArtistId}`
    const bare = await create({ key: outsider.key }, { artist_account_id: ownArtistId, songs: ['a.mp3'] })
    expect([bare.status, bare.body.missing_fields]).toEqual([400, []])
  })

  test('that lists the templates returns the default template first', async () => {
    type Looks = { templates: { name: string; description: string }[] }
    const { body } = await world.request<Looks>('GET', '/api/content/templates', { key: owner.key })
    expect(body.templates.map(({ name }) => name)).toEqual([
      'artist-caption-bedroom',
      'artist-caption-outside',
      'artist-caption-stage',
      'album-record-store',
      'artist-release-editorial',
    ])
  })
})
