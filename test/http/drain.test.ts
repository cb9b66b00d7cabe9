import { expect, test } from 'vitest'
import { z } from 'zod'
import { route, type Route } from '../../api/http/route.ts'
import { loopback } from '../world/loopback.ts'
import { createWorld, eventually } from '../world/world.ts'

const releases: (() => void)[] = []

const createRoutes = (): Route[] => [
  route({
    method: 'POST',
    tag: { name: 'Test', description: 'For tests.' },
    summary: 'A route of this test',
    auth: 'key-or-bearer',
    ownership: 'None.',
    envelope: 'standard',
    bodyLimit: 1024,
    rate: 'default',
    errors: [],
    path: '/held',
    responses: { 200: z.object({ done: z.boolean() }) },
    handle: async () => {
      await new Promise<void>((resolve) => releases.push(resolve))
      return { status: 200, body: { done: true } }
    },
  }),
]

test('an API that closes completes its requests at every address and accepts no new requests', async () => {
  const closing = await createWorld({ worker: false, routes: createRoutes })
  const { key } = await closing.makeAccount()
  const { port } = new URL(closing.baseUrl)
  const sendRequest = (host: string) =>
    fetch(`http://${host}:${port}/held`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: '{}',
    })
  const pendingResponses = loopback.map(sendRequest)
  await eventually('the requests', async () => releases.length === pendingResponses.length || undefined)
  const closed = closing.close()
  for (const host of loopback)
    await eventually('the closed port', () =>
      fetch(`http://${host}:${port}/held`).then(
        () => undefined,
        () => true,
      ),
    )
  for (const release of releases) release()
  for (const response of await Promise.all(pendingResponses))
    expect([response.status, await response.json()]).toEqual([200, { done: true }])
  await closed
})
