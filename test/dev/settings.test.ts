import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { settings } from '../../config.ts'
import { settingsFiles } from '../../dev/generate/settings-docs.ts'

it.each(Object.entries(settingsFiles()))(
  '%s describes the settings of config.ts (npm run docs writes it)',
  async (path, text) => {
    expect(await readFile(path, 'utf8')).toBe(text)
  },
)

it('every setting says what it means', () => {
  const silent = Object.entries(settings).filter(([, schema]) => !schema.meta()?.description)
  expect(silent.map(([name]) => name)).toEqual([])
})
