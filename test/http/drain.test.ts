import { expect, test } from 'vitest'
import { z } from 'zod'
import { route, type Route } from '../../api/http/route.ts'
import { createWorld, eventually } from '../world/world.ts'

let heldRequest: (() => void) | undefined

const routes = (): Route[] => [
  route({
    method: 'POST',
    tag: { name: 'Test', description: 'For tests.' },
    summary: 'A route of this test',
    auth: 'key-or-bearer',
    ownership: 'None.',
    envelope: 'e2',
    bodyLimit: 1024,
    rate: 'default',
    errors: [],
    path: '/held',
    responses: { 200: z.object({ done: z.boolean() }) },
    handle: async () => {
      await new Promise<void>((resolve) => (heldRequest = resolve))
      return { status: 200, body: { done: true } }
    },
  }),
]

test('a closing API lets requests finish and takes no more', async () => {
  const closing = await createWorld({ worker: false, routes })
  const { key } = await closing.makeAccount()
  const waiting = closing.request('POST', '/held', { key, body: {} })
  const letGo = await eventually('the request', async () => heldRequest)
  const closed = closing.close()
  await eventually('the closed port', () =>
    closing.request('GET', '/held').then(
      () => undefined,
      () => true,
    ),
  )
  letGo()
  expect(await waiting).toMatchObject({ status: 200, body: { done: true } })
  await closed
})
