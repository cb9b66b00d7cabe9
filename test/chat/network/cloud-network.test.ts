import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localDrivers } from '../../providers/sandbox/contract.ts'
import { cloudDrivers } from '../../providers/vendors/drivers.ts'
import type { Vendor } from '../../providers/vendors/http.ts'
import { listFrames, readTranscript } from '../../world/transcript.ts'
import { createWorld, eventually } from '../../world/world.ts'
import { createChatApi, until } from '../chat-api.ts'

const policyPaths: Record<string, string> = { vercel: '/network-policy', e2b: '/network' }

/** Lists the keys that the vendor received, in order. */
const addedKeys = (vendor: Vendor, path: string): string[] =>
  vendor.sent(path).flatMap((policy) => /"x-api-key":"([^"]+)"/.exec(JSON.stringify(policy))?.[1] ?? [])

for (const driver of cloudDrivers(await localDrivers())) {
  const { name } = driver
  test.skipIf(!driver.available)(`a run in a ${name} sandbox has the access of its owner until it ends`, async () => {
    const root = await mkdtemp(join(tmpdir(), 'backline-vendor-'))
    await driver.open(root)
    const world = await createWorld({ settings: { ...driver.settings(), BASE_URL: 'https://platform.example' } })
    const chatApi = createChatApi(world)
    const chat = await chatApi.openChat()
    const requestId = (key: string) => world.request('GET', '/api/accounts/id', { key })

    const response = await chatApi.post(
      chat,
      '$ echo $PLATFORM_API_URL; env; cat /proc/*/environ /proc/*/cmdline; sleep 60',
    )
    const reading = readTranscript(response)
    const keys = async () => addedKeys(driver.vendor(), policyPaths[name] ?? '')
    const [key = ''] = await until(keys, (added) => added.length > 0)
    expect(await requestId(key)).toMatchObject({ status: 200, body: { accountId: chat.account.id } })
    await chatApi.stop(chat)
    const transcript = await reading
    expect(JSON.stringify(listFrames(transcript))).not.toContain(key)
    await eventually('the revocation of the key', async () =>
      (await requestId(key)).status === 401 ? true : undefined,
    )

    const next = listFrames(
      await chatApi.send(chat, '$ echo $PLATFORM_API_URL; env; cat /proc/*/environ /proc/*/cmdline'),
    )
    const [, second = ''] = await keys()
    expect([second.startsWith('sk_'), second === key]).toEqual([true, false])
    expect(JSON.stringify(next)).toContain('https://platform.example')
    for (const secret of [key, second]) expect(JSON.stringify(next)).not.toContain(secret)

    await world.close()
    await driver.close?.()
    await rm(root, { recursive: true, force: true })
  })
}
