import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFal } from '../providers/vendors/fal.ts'
import { serveVendor, type Vendor } from '../providers/vendors/http.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createMusicApi } from './music-api.ts'

const falKey = 'key-id:key-secret'
const wav = Buffer.concat([Buffer.from('RIFF....WAVEfmt '), Buffer.alloc(100_000)])

let fal: Awaited<ReturnType<typeof startFal>>
let results: Vendor
let world: World
let payer: TestAccount
/** The bytes that the result store serves. */
let servedChunks: Buffer[]
beforeAll(async () => {
  fal = await startFal(falKey)
  results = await serveVendor(
    async ({ response }) => {
      for (const chunk of servedChunks)
        if (!response.write(chunk)) await new Promise((done) => response.once('drain', done))
      response.end()
    },
    () => Promise.resolve(),
  )
  world = await createWorld({
    settings: {
      RENDER_PROVIDER: 'fal',
      FAL_KEY: falKey,
      FAL_QUEUE_URL: fal.urls.queue,
      FAL_PLATFORM_URL: fal.urls.platform,
      FAL_KEYS_URL: fal.urls.keys,
      ALLOW_PRIVATE_FETCH: 'true',
    },
  })
})
afterAll(async () => {
  await world.close()
  await fal.close()
  await results.close()
})
beforeEach(async () => {
  payer = await world.makeAccount({ credits: 100_000 })
  servedChunks = [wav]
})

const { readCredits, start, untilEnded } = createMusicApi(() => world)

const untilSubmitted = async (id: string) => {
  await eventually('the submitted request', async () => {
    const [row] = await world.db`select 1 from music_generations where id = ${id} and status = 'processing'`
    return row
  })
  const submission = fal.requests.find(({ input }) => input['client_reference'] === id)
  if (submission === undefined) throw new Error('nothing was submitted')
  return submission
}

const sendWebhook = (requestId: string, headers?: Record<string, string>) => {
  const body = Buffer.from(JSON.stringify({ request_id: requestId, status: 'OK' }))
  return world.request<{ ignored?: boolean }>('POST', '/api/webhooks/renders', {
    body,
    headers: { 'content-type': 'application/json', ...(headers ?? fal.signWebhook(body, { requestId })) },
  })
}

const refunded = { held: 0, charged: 0 }

test("a vendor's webhook triggers the next poll, and a track of unknown length is charged for the requested length", async () => {
  const id = await start(payer)
  const submission = await untilSubmitted(id)
  expect(submission.webhook).toBe(`${world.config.baseUrl}/api/webhooks/renders`)
  Object.assign(submission, { state: 'COMPLETED', logs: [{ timestamp: '2026-01-01T00:00:00Z', message: 'step 30' }] })
  submission.end = { status: 200, body: { audio: { url: `${results.url}/track` } } }
  expect((await sendWebhook(submission.id, {})).status).toBe(401)
  expect((await sendWebhook('unknown')).body).toEqual({ status: 'success', ignored: true })
  expect((await sendWebhook(submission.id)).body).toEqual({ status: 'success' })
  const { generation, logs } = await untilEnded(payer, id)
  expect(generation).toMatchObject({ status: 'completed', duration_seconds: null, model: 'fal-ai/ace-step' })
  expect(logs).toEqual([{ at: '2026-01-01T00:00:00.000Z', message: 'step 30' }])
  const stored = await world.fetch('GET', new URL(generation.audio_url ?? '').pathname)
  expect([stored.headers.get('content-type'), Buffer.from(await stored.arrayBuffer())]).toEqual(['audio/wav', wav])
  expect(await readCredits(payer)).toEqual({ held: 0, charged: 20_000 })
})

test('a failed or rejected render costs nothing', async () => {
  const id = await start(payer)
  const submission = await untilSubmitted(id)
  Object.assign(submission, { state: 'COMPLETED', error: 'out of memory' })
  await sendWebhook(submission.id)
  expect((await untilEnded(payer, id)).generation).toMatchObject({
    status: 'failed',
    error_message: 'The track could not be rendered.',
  })
  fal.failNext('/queue/fal-ai/ace-step', 422)
  const refused = await untilEnded(payer, await start(payer))
  expect(refused.generation.error_message).toBe('The track could not be rendered.')
  expect(await readCredits(payer)).toEqual(refunded)
})

test.each([
  ['no audio', () => [Buffer.from('<html><body>')]],
  ['more than 64 MiB', () => [wav, ...Array<Buffer>(65).fill(Buffer.alloc(1024 * 1024))]],
])('a result with %s is not stored and costs nothing', async (_, content) => {
  servedChunks = content()
  const id = await start(payer)
  const submission = await untilSubmitted(id)
  submission.state = 'COMPLETED'
  submission.end = { status: 200, body: { audio: { url: `${results.url}/track`, duration: 10 } } }
  await sendWebhook(submission.id)
  const { generation } = await untilEnded(payer, id)
  expect(generation).toMatchObject({
    status: 'failed',
    error_message: 'The track could not be stored.',
    audio_url: null,
  })
  expect(await readCredits(payer)).toEqual(refunded)
})

test('a render that never ends is abandoned after ninety-one polls', async () => {
  const id = await start(payer)
  const submission = await untilSubmitted(id)
  // Each webhook triggers the next poll.
  const ended = untilEnded(payer, id)
  await eventually('the last poll', async () => {
    await sendWebhook(submission.id)
    const [row] = await world.db`select 1 from music_generations where id = ${id} and status = 'failed'`
    return row
  })
  expect((await ended).generation.error_message).toBe('Rendering took too long.')
  expect(fal.calls.filter((call) => call.includes(`${submission.id}/status`))).toHaveLength(91)
  // The vendor's request is cancelled so that it costs nothing and does not block other requests.
  await eventually('the cancellation', async () => fal.calls.find((call) => call.includes(`${submission.id}/cancel`)))
  expect(await readCredits(payer)).toEqual(refunded)
})
