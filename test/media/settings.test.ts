import { expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'

/** Lists the errors of the settings that concern media. */
const listErrors = (settings: Record<string, string>): string[] => {
  try {
    loadConfig(settings)
    return []
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : []
    return lines.filter((line) => /RENDER|FAL_|ALLOW_PRIVATE/.test(line))
  }
}

const fal = { RENDER_PROVIDER: 'fal', FAL_KEY: 'id:secret' }

test.each<[Record<string, string>, RegExp]>([
  [{ RENDER_PROVIDER: 'fal' }, /^FAL_KEY is required with RENDER_PROVIDER=fal/],
  [{ ...fal, FAL_QUEUE_URL: 'http://fal.example' }, /^FAL_QUEUE_URL must be an https URL/],
  [{ PRODUCTION_MODE: 'true' }, /^RENDER_PROVIDER must not be embedded in production mode/],
  [
    { PRODUCTION_MODE: 'true', ...fal, ALLOW_PRIVATE_FETCH: 'true' },
    /^ALLOW_PRIVATE_FETCH is not allowed in production/,
  ],
])('media settings %j are rejected', (settings, error) => {
  expect(listErrors(settings)).toEqual([expect.stringMatching(error)])
})

test.each<Record<string, string>>([
  { ...fal, FAL_QUEUE_URL: 'http://127.0.0.1:9' },
  { PRODUCTION_MODE: 'true', ...fal },
  { PRODUCTION_MODE: 'true', RENDER_PROVIDER: 'none' },
  { PRODUCTION_MODE: 'true', ALLOW_EMBEDDED: 'mail, render' },
])('media settings %j are accepted', (settings) => {
  expect(listErrors(settings)).toEqual([])
})
