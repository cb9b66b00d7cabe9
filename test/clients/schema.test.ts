import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { clientSchema } from '../../dev/generate/client-schema.ts'

test('client/schema.ts matches the declared routes (npm run client generates it)', async () => {
  expect(await clientSchema()).toBe(await readFile('client/schema.ts', 'utf8'))
})
