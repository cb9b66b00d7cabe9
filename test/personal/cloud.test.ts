import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { insertAccountSandbox, updateAccountSandbox } from '../../db/account-sandboxes.ts'
import { gitIdentity, localDrivers } from '../providers/sandbox-contract.ts'
import { cloudDrivers } from '../providers/vendors/drivers.ts'
import { e2bKey } from '../providers/vendors/e2b.ts'
import { vercelToken } from '../providers/vendors/vercel.ts'
import { createWorld } from '../world.ts'
import { personalOn } from './personal.ts'

const settingsOf: Record<string, (url: string) => Record<string, string>> = {
  vercel: (url) => ({
    VERCEL_API_URL: url,
    VERCEL_TOKEN: vercelToken,
    VERCEL_TEAM_ID: 'team_1',
    VERCEL_PROJECT_ID: 'prj_1',
  }),
  e2b: (url) => ({ E2B_API_KEY: e2bKey, E2B_API_URL: url, E2B_SANDBOX_URL: url }),
}

for (const driver of cloudDrivers(await localDrivers())) {
  const { name } = driver
  it.skipIf(!driver.available)(`a read of the personal sandbox leaves one at ${name} stopped`, async () => {
    const root = await mkdtemp(join(tmpdir(), 'backline-vendor-'))
    const port = await driver.open(root)
    const settings = { SANDBOX_PROVIDER: name, ...settingsOf[name]?.(driver.vendor().url) }
    const world = await createWorld({ settings })
    const owner = await world.makeAccount()
    const insert = async (id: string, status: 'stopped' | 'running'): Promise<void> => {
      const state = { type: name, sandboxName: id }
      await insertAccountSandbox(world.db, { id, accountId: owner.id, state, timeoutMs: 60_000 })
      await updateAccountSandbox(world.db, id, { status })
    }

    const stopped = await port.create({ name: 'stopped', timeoutMs: 60_000, gitIdentity })
    await stopped.stop()
    await port.create({ name: 'running', timeoutMs: 60_000, gitIdentity })
    await insert('stopped', 'stopped')
    await insert('running', 'running')
    await insert('deleted', 'stopped')
    const { body } = await personalOn(world).list(owner)
    expect(body.sandboxes.map(({ sandboxId }) => sandboxId)).toEqual(['running', 'stopped'])
    expect(await port.condition(stopped.state)).toBe('stopped')

    await world.close()
    await driver.close?.()
    await rm(root, { recursive: true, force: true })
  })
}
