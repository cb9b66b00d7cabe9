import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RenderRequest } from '../../domain/renders.ts'
import { createFalRender } from '../../providers/render/fal/index.ts'
import { startFal } from '../providers/vendors/fal.ts'
import { createClip, readErrorKind, track } from './render-world.ts'

const key = 'key-id:key-secret'
let vendor: Awaited<ReturnType<typeof startFal>>
beforeAll(async () => (vendor = await startFal(key)))
afterAll(() => vendor.close())

function createRender(overrides: { key?: string; videoModel?: string } = {}) {
  return createFalRender({
    key,
    musicModel: 'fal-ai/ace-step',
    videoModel: 'workflows/label/clip',
    urls: vendor.urls,
    ...overrides,
  })
}

async function submitAndCapture(request: RenderRequest, generation: string) {
  const { requestId } = await createRender().submit(request, { key: generation })
  const submission = vendor.requests.at(-1)
  if (submission === undefined) throw new Error('nothing was submitted')
  return { requestId, submission }
}

it('the fal renderer submits the parameters of the model, clamped to its limits', async () => {
  const { requestId } = await createRender().submit(track({ seconds: 300, steps: 100, seed: 9 }), {
    key: 'generation-1',
    webhookUrl: 'https://label.example/hook?id=1',
  })
  const submission = vendor.requests.at(-1)
  expect(requestId).toBe(`${submission?.id}@fal-ai/ace-step`)
  expect(submission).toMatchObject({
    model: 'fal-ai/ace-step',
    webhook: 'https://label.example/hook?id=1',
    input: {
      tags: 'house',
      lyrics: 'hello',
      duration: 240,
      number_of_steps: 60,
      guidance_scale: 1.7,
      seed: 9,
      client_reference: 'generation-1',
    },
  })
  const clip = createClip({ imageUrl: 'https://a.example/p.png', audioUrl: 'https://a.example/s.mp3' })
  await createRender().submit(clip, { key: 'run-1' })
  expect(vendor.requests.at(-1)).toMatchObject({
    model: 'workflows/label/clip',
    input: { image_url: 'https://a.example/p.png', start_seconds: 0.5, caption: 'out now', lipsync: false },
  })
})

it('the fal renderer returns the states of a request with its logs and its result', async () => {
  const { requestId, submission } = await submitAndCapture(track(), 'generation-2')
  const render = createRender()
  expect(await render.status(requestId)).toEqual({ state: 'queued', logs: [] })
  Object.assign(submission, {
    state: 'IN_PROGRESS',
    logs: [{ timestamp: '2026-01-02T03:04:05Z', level: 'INFO', message: '40 %' }],
  })
  expect(await render.status(requestId)).toEqual({
    state: 'running',
    logs: [{ at: new Date('2026-01-02T03:04:05Z'), message: '40 %' }],
  })
  const audio = { url: 'https://v3.fal.media/files/a/out.wav', content_type: 'audio/wav', file_size: 1234 }
  Object.assign(submission, {
    state: 'COMPLETED',
    end: { status: 200, body: { audio, seed: 5, tags: 'house', lyrics: '' } },
  })
  expect((await render.status(requestId)).state).toBe('completed')
  expect(await render.result(requestId)).toEqual({
    url: audio.url,
    contentType: 'audio/wav',
    bytes: 1234,
    durationSeconds: null,
    seed: 5,
  })
})

it('the fal renderer cancels a request, and ignores the cancellation of an ended or unknown request', async () => {
  const { requestId, submission } = await submitAndCapture(track(), 'generation-cancelled')
  await createRender().cancel(requestId)
  expect(submission.isCancelled).toBe(true)
  submission.state = 'COMPLETED'
  for (const id of [requestId, '00000000-0000-4000-8000-999999999999@fal-ai/ace-step']) await createRender().cancel(id)
  vendor.failNext('/cancel', 500)
  expect(await createRender().cancel(requestId).catch(readErrorKind)).toBe('unavailable')
})

it('the fal renderer recognizes a failed request in either form in which the vendor reports it', async () => {
  const runnerError = await submitAndCapture(track(), 'generation-3')
  Object.assign(runnerError.submission, { state: 'COMPLETED', error: 'Runner failed' })
  expect((await createRender().status(runnerError.requestId)).state).toBe('failed')
  const inputError = await submitAndCapture(track(), 'generation-4')
  Object.assign(inputError.submission, {
    state: 'COMPLETED',
    end: { status: 422, body: { detail: [{ msg: 'bad tags' }] } },
  })
  expect((await createRender().status(inputError.requestId)).state).toBe('failed')
  const emptyResult = await submitAndCapture(track(), 'generation-5')
  Object.assign(emptyResult.submission, { state: 'COMPLETED', end: { status: 200, body: { images: [] } } })
  expect(await createRender().result(emptyResult.requestId).catch(readErrorKind)).toBe('unavailable')
})

it('the fal renderer finds a submission whose response was lost, even beyond the first page, and pays once', async () => {
  vendor.swallowNextSubmit()
  expect(await createRender().submit(track(), { key: 'generation-6' }).catch(readErrorKind)).toBe('timeout')
  const lost = vendor.requests.at(-1)
  for (const later of ['7', '8', '9']) await createRender().submit(track(), { key: `generation-${later}` })
  const before = vendor.requests.length
  const repeated = await createRender().submit(track(), { key: 'generation-6', isRepeat: true })
  expect(repeated.requestId).toBe(`${lost?.id}@fal-ai/ace-step`)
  expect(vendor.requests).toHaveLength(before)
  await createRender().submit(track(), { key: 'generation-never-sent', isRepeat: true })
  expect(vendor.requests).toHaveLength(before + 1)
})

it('the fal renderer submits once and maps every vendor error to an error kind', async () => {
  const render = createRender()
  const faults = {
    '400': 'invalid',
    '403': 'unauthorized',
    '422': 'invalid',
    '429': 'capacity',
    '500': 'unavailable',
    '503': 'capacity',
  }
  for (const [status, kind] of Object.entries(faults)) {
    const before = vendor.calls.length
    vendor.failNext('/ace-step', Number(status))
    expect([status, await render.submit(track(), { key: 'x' }).catch(readErrorKind)]).toEqual([status, kind])
    expect(vendor.calls.length - before).toBe(1)
  }
  expect(await createRender({ key: 'other' }).submit(track(), { key: 'x' }).catch(readErrorKind)).toBe('unauthorized')
  expect(await render.status('00000000-0000-4000-8000-999999999999@fal-ai/ace-step').catch(readErrorKind)).toBe(
    'not_found',
  )
  for (const invalidId of ['', 'x', '../x@fal-ai/ace-step', 'a@b?c'])
    expect([invalidId, await render.status(invalidId).catch(readErrorKind)]).toEqual([invalidId, 'not_found'])
  const unreachable = createFalRender({
    key,
    musicModel: 'fal-ai/ace-step',
    videoModel: undefined,
    urls: { ...vendor.urls, queue: 'http://nowhere.invalid' },
  })
  expect(await unreachable.submit(track(), { key: 'x' }).catch(readErrorKind)).toBe('unavailable')
  const clip = createClip({ imageUrl: 'https://a.example/p.png', audioUrl: 'https://a.example/s.mp3' })
  expect(await unreachable.submit(clip, { key: 'x' }).catch(readErrorKind)).toBe('invalid')
})

it('the fal renderer accepts only recent webhooks that the vendor signed for their body', async () => {
  const render = createRender()
  const requestId = '0f6a0c1e-0000-4000-8000-000000000000'
  const body = Buffer.from(JSON.stringify({ request_id: requestId, status: 'OK', payload: {} }))
  const headers = vendor.signWebhook(body, { requestId })
  expect(await render.verifyWebhook?.(headers, body)).toEqual({ requestIdPrefix: `${requestId}@` })
  const invalidWebhooks: [Record<string, string | undefined>, Buffer][] = [
    [headers, Buffer.from(`${body.toString()} `)],
    [{ ...headers, 'x-fal-webhook-user-id': 'user-2' }, body],
    [{ ...headers, 'x-fal-webhook-signature': undefined }, body],
    [{ ...headers, 'x-fal-webhook-signature': '00'.repeat(64) }, body],
    [vendor.signWebhook(body, { requestId, at: Date.now() - 6 * 60_000 }), body],
    [vendor.signWebhook(body, { requestId, at: Date.now() + 6 * 60_000 }), body],
    [vendor.signWebhook(body, { requestId: 'another' }), body],
  ]
  for (const [sent, content] of invalidWebhooks)
    expect(await render.verifyWebhook?.(sent, content).catch(readErrorKind)).toBe('invalid')
  vendor.rotateKeys()
  const rotated = vendor.signWebhook(body, { requestId })
  expect(await render.verifyWebhook?.(rotated, body)).toEqual({ requestIdPrefix: `${requestId}@` })
  const forged = { ...rotated, 'x-fal-webhook-signature': '00'.repeat(64) }
  const outcomes = []
  for (let attempt = 0; attempt < 10; attempt++)
    outcomes.push(await render.verifyWebhook?.(forged, body).catch(readErrorKind))
  expect(new Set(outcomes)).toEqual(new Set(['invalid', 'unavailable']))
  expect(vendor.calls.filter((call) => call.endsWith('/jwks')).length).toBeLessThanOrEqual(11)
})
