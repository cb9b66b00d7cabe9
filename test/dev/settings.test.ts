import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { loadConfig, settings } from '../../config.ts'
import { settingsFiles } from '../../dev/generate/settings-docs.ts'

it.each(Object.entries(settingsFiles()))(
  '%s describes the settings of config.ts (npm run docs generates it)',
  async (path, text) => {
    expect(await readFile(path, 'utf8')).toBe(text)
  },
)

it('every setting has a description', () => {
  const undescribedSettings = Object.entries(settings).filter(([, schema]) => !schema.meta()?.description)
  expect(undescribedSettings.map(([name]) => name)).toEqual([])
})

const production = { PRODUCTION_MODE: 'true' }
const issuer = { IDENTITY_ISSUER: 'https://issuer.example' }

it.each<[Record<string, string>, RegExp[]]>([
  [production, [/^IDENTITY_ISSUER is required in production mode, unless ALLOW_EMBEDDED contains identity/]],
  [{ ...production, ALLOW_EMBEDDED: 'identity' }, []],
  [{ ...production, ...issuer }, [/^IDENTITY_KEYS_URL is required/, /^IDENTITY_AUDIENCE is required/]],
  [{ ...production, ...issuer, IDENTITY_KEYS_URL: 'https://issuer.example/keys', IDENTITY_AUDIENCE: 'api' }, []],
])('the issuer settings in %j are validated', (environment, errors) => {
  let lines: string[] = []
  try {
    loadConfig(environment)
  } catch (error) {
    lines = String(error instanceof Error && error.message).split('\n')
  }
  expect(lines.filter((line) => line.includes('IDENTITY'))).toEqual(errors.map((fault) => expect.stringMatching(fault)))
})
