import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { main } from '../../dev/demo/music.ts'
import { makePeople } from '../artists/artists.ts'
import { decodeAudio, measureLoudness, measurePeak, measureSeconds } from '../media/decoded.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createRunsApi } from '../runs/runs-api.ts'
import { createMusicApi, trackRequest } from './music-api.ts'

let world: World
let folder: string
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
beforeAll(async () => {
  world = await createWorld()
  folder = await mkdtemp(join(tmpdir(), 'backline-tracks-'))
  ;({ owner, colleague, outsider } = await makePeople(world))
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const { sendRequest, list, readCredits, read, findRunId, start, untilEnded, untilRunEnded } = createMusicApi(
  () => world,
)
const runsApi = createRunsApi(() => world)

/** Returns the path of a store URL. The API under test listens on another origin. */
const toPath = (url: string | null): string => new URL(url ?? '').pathname

describe('a track', () => {
  test('is rendered, charged by its length, and served in full or by byte range', async () => {
    const payer = await world.makeAccount({ credits: 100_000 })
    const accepted = await sendRequest({ key: payer.key })
    const { id } = accepted.body.generation
    expect(accepted.status).toBe(202)
    expect(accepted.headers.get('location')).toBe(`/api/music/${id}`)
    expect(accepted.body.generation).toMatchObject({ status: 'pending', audio_url: null, duration_seconds: null })
    const { prompt, lyrics } = trackRequest
    expect(accepted.body.generation).toMatchObject({ prompt, lyrics, error_message: null })
    const { generation, logs } = await untilEnded(payer, id)
    expect(generation).toMatchObject({ status: 'completed', duration_seconds: 10, model: 'embedded/composer' })
    expect(logs[0]?.message).toMatch(/^Composed: house/)
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 20_000 })
    expect(await untilRunEnded(payer, await findRunId(id))).toMatchObject({
      taskIdentifier: 'render-music',
      output: { generation_id: id, audio_url: generation.audio_url },
      metadata: { generation_id: id, stage: 'storing', message: expect.any(String) },
    })
    expect((await runsApi.list(payer)).runs).toMatchObject([{ id: await findRunId(id), credits: 20_000 }])
    const whole = await world.fetch('GET', toPath(generation.audio_url))
    expect(whole.headers.get('content-type')).toBe('audio/mpeg')
    const path = join(folder, 'track.mp3')
    await pipeline(Readable.fromWeb(whole.body as never), createWriteStream(path))
    const samples = await decodeAudio(path)
    expect(Math.abs(measureSeconds(samples) - 10)).toBeLessThan(0.2)
    expect(measurePeak(samples)).toBeLessThan(1)
    const loudness = await measureLoudness(path)
    expect(loudness).toBeGreaterThan(-20)
    expect(loudness).toBeLessThan(-9)
    const part = await world.fetch('GET', toPath(generation.audio_url), { headers: { range: 'bytes=1000-1999' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 1000])
  })

  test('cannot be cancelled, and a repeated request creates no second track', async () => {
    const payer = await world.makeAccount({ credits: 100_000 })
    const sent = { key: payer.key, headers: { 'idempotency-key': 'one-track' } }
    const [first, second] = [await sendRequest(sent), await sendRequest(sent)]
    expect(second.body).toEqual(first.body)
    const { id } = first.body.generation
    const refused = await world.request('DELETE', `/api/tasks/runs?runId=${await findRunId(id)}`, { key: payer.key })
    expect(refused.status).toBe(409)
    expect((await untilEnded(payer, id)).generation.status).toBe('completed')
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 20_000 })
  })

  test('that the credits do not cover leaves no rows', async () => {
    const payer = await world.makeAccount({ credits: 19_999 })
    const response = await sendRequest({ key: payer.key })
    expect([response.status, response.body]).toMatchObject([
      402,
      { required_credits: 20_000, remaining_credits: 19_999 },
    ])
    expect((await list({ key: payer.key })).body.generations).toEqual([])
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
  })

  test.each([
    [{ ...trackRequest, prompt: '' }, ['prompt']],
    [{ prompt: 'x' }, ['lyrics']],
    [{ ...trackRequest, duration: 9.9 }, ['duration']],
    [{ ...trackRequest, duration: 300.1 }, ['duration']],
    [{ ...trackRequest, seed: -1 }, ['seed']],
    [{ ...trackRequest, num_inference_steps: 101 }, ['num_inference_steps']],
    [{ ...trackRequest, guidance_scale: 20.1 }, ['guidance_scale']],
  ])('%j is rejected, and the error names the field', async (body, fields) => {
    const response = await sendRequest({ key: owner.key }, body)
    expect([response.status, response.body.missing_fields]).toEqual([400, fields])
  })
})

/** Inserts a generation that was never charged. */
const insert = async (accountId: string, status: string, minutesAgo: number): Promise<string> => {
  const [row] = await world.db<{ id: string }[]>`
    insert into music_generations
      (account_id, run_id, status, model, prompt, lyrics, parameters, storage_key, error_message, created_at)
    select ${accountId}, gen_random_uuid(), ${status}, 'm', 'p', 'l', '{"duration":10}',
      case when ${status} = 'completed' then 'music/' || gen_random_uuid() || '.mp3' end,
      case when ${status} = 'failed' then 'Rendering took too long.' end, now() - make_interval(mins => ${minutesAgo})
    returning id`
  return row?.id ?? ''
}

describe('generations', () => {
  test('are listed newest first, across the caller and its organizations or for one account', async () => {
    const person = await world.makeAccount()
    const organization = await world.makeOrganization({ members: [person.id] })
    const ids = [
      await insert(person.id, 'failed', 1),
      await insert(organization.id, 'completed', 2),
      await insert(person.id, 'completed', 3),
    ]
    const { key } = person
    const listIds = async (query: string) => (await list({ key }, query)).body.generations.map(({ id }) => id)
    expect(await listIds('')).toEqual(ids)
    expect(await listIds(`account_id=${organization.id}`)).toEqual([ids[1]])
    expect(await listIds('status=completed')).toEqual(ids.slice(1))
    expect(await listIds('limit=1&offset=1')).toEqual([ids[1]])
    const [failed] = (await list({ key }, 'status=failed')).body.generations
    expect(failed).toMatchObject({ error_message: 'Rendering took too long.', audio_url: null })
    expect((await list({ key }, 'limit=51')).status).toBe(400)
    expect((await list({ key }, `account_id=${outsider.id}`)).status).toBe(403)
  })

  test('can be read by each account that may act for their owner', async () => {
    const id = await insert(owner.id, 'completed', 0)
    expect((await read({ key: owner.key }, id)).body).toMatchObject({
      generation: { id, status: 'completed' },
      logs: [],
    })
    expect((await read({ key: colleague.key }, id)).status).toBe(200)
    expect((await read({ key: outsider.key }, id)).status).toBe(403)
    expect((await read({ key: owner.key }, '7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa')).status).toBe(404)
    expect((await read({ key: owner.key }, 'none')).status).toBe(400)
  })

  test('fail and release their hold if their run is lost', async () => {
    const payer = await world.makeAccount({ credits: 100_000 })
    const engine = { ...world.engine, start: () => Promise.resolve() }
    const id = await world.withEngine(engine, () => start(payer))
    expect(await readCredits(payer)).toEqual({ held: 20_000, charged: 0 })
    await world.db`update background_runs set status = 'CRASHED', finished_at = now() where id = ${await findRunId(id)}`
    const { generation } = await untilEnded(payer, id)
    expect(generation).toMatchObject({ status: 'failed', error_message: 'The track could not be rendered.' })
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
  })
})

test('the demo prints the progress of the track and its location', async () => {
  const account = await world.makeAccount({ credits: 100_000 })
  await writeFile(join(folder, 'local.json'), JSON.stringify({ baseUrl: world.baseUrl, apiKey: account.key }))
  vi.stubEnv('DATA_DIR', folder)
  // The test runner sets a BASE_URL that is not a URL.
  vi.stubEnv('BASE_URL', '')
  const { fetch } = globalThis
  // The API of a test listens at another address than its settings state.
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    fetch(url.replace(world.config.baseUrl, world.baseUrl), init),
  )
  const output: string[] = []
  const consoleLog = vi.spyOn(console, 'log').mockImplementation((line: string) => void output.push(line))
  try {
    await main(['10'])
  } finally {
    consoleLog.mockRestore()
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  }
  const bars = output.filter((line) => /^ {2}█*·* +\d+ % /.test(line))
  expect(bars.length).toBeGreaterThan(1)
  expect(bars.at(-1)).toMatch(/ 100 % Mastered to/)
  const path = /file: (.*)/.exec(output.join('\n'))?.[1] ?? ''
  expect((await stat(path)).size).toBeGreaterThan(100_000)
  await rm(path)
  expect(output.at(-1)).toMatch(/URL: http.*\/media\/music\/.*\.mp3$/)
})
