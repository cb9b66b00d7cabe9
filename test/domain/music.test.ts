import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { musicCharge, musicPrice, musicReference } from '../../domain/music/charge.ts'
import { sniffTrack, trackKey } from '../../domain/music/file.ts'
import { generationSchema, toGenerationResponse, showLogs, type Generation } from '../../domain/music/generation.ts'
import { musicQuerySchema, musicRequestSchema, toParameters, toRender } from '../../domain/music/request.ts'

describe('the price of a generation', () => {
  it.each([
    [60, 25.87, 120_000, 51_740],
    [60, 60.07, 120_000, 120_000],
    [10, null, 20_000, 20_000],
    [10, 0, 20_000, 20_000],
    [10, -3, 20_000, 20_000],
    [10, Number.NaN, 20_000, 20_000],
    [10, Number.POSITIVE_INFINITY, 20_000, 20_000],
    [10.00049, 10.00049, 20_000, 20_000],
  ])(
    'for %d requested and %s generated seconds is a hold of %i and a charge of %i credits',
    (requested, actual, held, charged) => {
      expect(musicPrice(requested, 2000)).toBe(held)
      expect(musicCharge(requested, actual, 2000)).toBe(charged)
    },
  )

  it('is a whole number of credits between zero and the hold', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 10, max: 300, noNaN: true }),
        fc.double(),
        fc.integer({ min: 0, max: 1e6 }),
        (requested, generated, rate) => {
          const charge = musicCharge(requested, generated, rate)
          expect(Number.isSafeInteger(charge)).toBe(true)
          expect(charge).toBeGreaterThanOrEqual(0)
          expect(charge).toBeLessThanOrEqual(musicPrice(requested, rate))
        },
      ),
    )
  })

  it('is exact for decimal fractions', () => {
    for (let hundredths = 1; hundredths <= 30_000; hundredths++)
      expect(musicPrice(hundredths / 100, 2000)).toBe(hundredths * 20)
  })

  it('is booked under a reference that contains the id of the generation', () =>
    expect(musicReference('g')).toBe('music:g'))
})

const minimalRequest = { prompt: 'house', lyrics: 'la' }

describe('a music request', () => {
  it('has defaults for omitted fields', () => {
    const request = musicRequestSchema.parse(minimalRequest)
    expect(request).toEqual({ ...minimalRequest, duration: 60, num_inference_steps: 30, guidance_scale: 1.7 })
    expect(toParameters({ ...request, seed: 4 })).toEqual({
      duration: 60,
      num_inference_steps: 30,
      guidance_scale: 1.7,
      seed: 4,
    })
    expect(toRender({ ...minimalRequest, parameters: toParameters(request) })).toEqual({
      kind: 'music',
      ...minimalRequest,
      seconds: 60,
      steps: 30,
      guidance: 1.7,
    })
  })

  it.each([
    { prompt: '' },
    { prompt: 'x'.repeat(2001) },
    { lyrics: '' },
    { lyrics: 'x'.repeat(10_001) },
    { duration: 9.99 },
    { duration: 300.01 },
    { duration: '60' },
    { seed: -1 },
    { seed: 2 ** 31 },
    { seed: 1.5 },
    { num_inference_steps: 0 },
    { num_inference_steps: 101 },
    { guidance_scale: -0.1 },
    { guidance_scale: 20.1 },
    { account_id: 'me' },
  ])('is rejected with %j', (wrong) =>
    expect(musicRequestSchema.safeParse({ ...minimalRequest, ...wrong }).success).toBe(false),
  )

  it('may contain values equal to the limits', () => {
    const edges = {
      duration: 300,
      seed: 2 ** 31 - 1,
      num_inference_steps: 100,
      guidance_scale: 0,
      prompt: '🎵'.repeat(2000),
    }
    expect(musicRequestSchema.safeParse({ ...minimalRequest, ...edges }).success).toBe(true)
  })

  it('that lists generations returns 20 by default and at most 50', () => {
    expect(musicQuerySchema.parse({})).toEqual({ limit: 20, offset: 0 })
    expect(musicQuerySchema.safeParse({ limit: '51' }).success).toBe(false)
    expect(musicQuerySchema.safeParse({ status: 'queued' }).success).toBe(false)
  })
})

describe('a generation in a response', () => {
  const at = new Date('2026-01-02T03:04:05Z')
  const generation: Generation = {
    id: '0b0f6c56-4a0e-4c39-9d7c-3f4e8f0d2a11',
    accountId: '0b0f6c56-4a0e-4c39-9d7c-3f4e8f0d2a12',
    runId: 'run_1',
    status: 'completed',
    model: 'local/composer',
    ...minimalRequest,
    parameters: { duration: 60, num_inference_steps: 30, guidance_scale: 1.7 },
    durationSeconds: 25.87,
    storageKey: 'music/a.mp3',
    providerRequestId: 'r',
    isRequested: true,
    errorMessage: null,
    createdAt: at,
    updatedAt: at,
  }
  const url = 'https://store.example/music/a.mp3'

  it('contains its track if it is completed, and its error if it failed', () => {
    expect(toGenerationResponse(generation, url)).toMatchObject({
      audio_url: url,
      duration_seconds: 25.87,
      error_message: null,
    })
    expect(toGenerationResponse({ ...generation, status: 'processing' }, url)).toMatchObject({
      audio_url: null,
      duration_seconds: null,
    })
    const failed = toGenerationResponse(
      { ...generation, status: 'failed', errorMessage: 'Rendering took too long.' },
      url,
    )
    expect(failed).toMatchObject({ audio_url: null, duration_seconds: null, error_message: 'Rendering took too long.' })
    expect(generationSchema.safeParse(failed).success).toBe(true)
  })

  it('contains the last lines of its log', () => {
    const logs = showLogs(Array.from({ length: 250 }, (_, line) => ({ at, message: String(line) })))
    expect([logs.length, logs[0], logs.at(-1)?.message]).toEqual([
      200,
      { at: '2026-01-02T03:04:05.000Z', message: '50' },
      '249',
    ])
  })
})

it.each([
  ['RIFF....WAVEfmt ', 'wav'],
  ['ID3\u0004\u0000', 'mp3'],
  ['\u00ff\u00fb\u0090', 'mp3'],
  ['RIFF....AVI LIST', undefined],
  ['<html><body>', undefined],
  ['\u00ff\u00d8\u00ff', undefined],
  ['', undefined],
])('%j is detected as %s', (bytes, extension) => {
  const format = sniffTrack(Buffer.from(bytes, 'latin1'))
  expect(format?.extension).toBe(extension)
  if (format !== undefined) expect(trackKey('id', format)).toBe(`music/id.${extension}`)
})
