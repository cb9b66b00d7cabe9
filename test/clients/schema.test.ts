import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { clientSchema } from '../../dev/generate/client-schema.ts'

test('client/schema.ts, which npm run client generates, matches the declared routes', async () => {
  expect(await clientSchema()).toBe(await readFile('client/schema.ts', 'utf8'))
})
