import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { insertAccountSandbox, updateAccountSandbox } from '../../../db/sandboxes/personal.ts'
import { gitIdentity, localDrivers } from '../../providers/sandbox/contract.ts'
import { cloudDrivers } from '../../providers/vendors/drivers.ts'
import { createWorld } from '../../world/world.ts'
import { createPersonalApi } from './personal-api.ts'

for (const driver of cloudDrivers(await localDrivers())) {
  const { name } = driver
  it.skipIf(!driver.available)(
    `reading the personal sandboxes does not resume a stopped sandbox at ${name}`,
    async () => {
      const root = await mkdtemp(join(tmpdir(), 'backline-vendor-'))
      const port = await driver.open(root)
      const world = await createWorld({ settings: driver.settings() })
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
      const { body } = await createPersonalApi(world).list(owner)
      expect(body.sandboxes.map(({ sandboxId }) => sandboxId)).toEqual(['running', 'stopped'])
      expect(await port.condition(stopped.state)).toBe('stopped')

      await world.close()
      await driver.close?.()
      await rm(root, { recursive: true, force: true })
    },
  )
}
