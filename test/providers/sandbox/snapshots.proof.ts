import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobObjects } from '../../../providers/blob/index.ts'
import { SandboxError, SnapshotGoneError, type SandboxPort } from '../../../providers/sandbox/index.ts'
import { createLocalSandboxes } from '../../../providers/sandbox/local/local.ts'
import { startObjectStore } from '../../world/repositories/code-host.ts'
import { gitIdentity, limits, localDrivers } from './contract.ts'

let folder: string
let store: Awaited<ReturnType<typeof startObjectStore>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-snapshots-'))
  store = await startObjectStore()
})
afterAll(async () => {
  await store.s3.close()
  await rm(folder, { recursive: true, force: true })
})

const log = pino({ level: 'silent' })
const options = { name: 'saved', timeoutMs: 60_000, gitIdentity }

const openMachine = (driver: string, machine: string, snapshotObjects?: BlobObjects): Promise<SandboxPort> => {
  const provider = driver === 'just-bash' ? 'just-bash' : 'bubblewrap'
  return createLocalSandboxes({ root: join(folder, driver, machine), provider, log, snapshotObjects })
}

const rejectRequest = async (): Promise<never> => {
  throw new Error('connect ECONNREFUSED')
}

for (const { name, available } of await localDrivers())
  describe.skipIf(!available)(`snapshots of ${name} in the object store`, () => {
    it('can be used on every machine until their deletion', async () => {
      const [first, second] = [
        await openMachine(name, 'first', store.objects),
        await openMachine(name, 'second', store.objects),
      ]
      const sandbox = await first.create(options)
      await sandbox.writeFiles([{ path: 'song.txt', content: 'la la' }])
      const { snapshotId } = await sandbox.snapshot()
      await sandbox.destroy()
      await rm(join(folder, name, 'first'), { recursive: true, force: true })
      const restored = await second.create({ ...options, name: 'restored', snapshotId })
      expect((await restored.exec('cat song.txt', limits)).output).toBe('la la')
      await restored.destroy()
      await second.deleteSnapshot(snapshotId)
      expect([...store.s3.objects.keys()]).toEqual([])
      await expect(second.create({ ...options, name: 'late', snapshotId })).rejects.toMatchObject({ isLocal: false })
    })

    it('are stored again after the store fails, and exist only on their machine without a store', async () => {
      const port = await openMachine(name, 'failing', { ...store.objects, put: rejectRequest, open: rejectRequest })
      const sandbox = await port.create(options)
      await expect(sandbox.snapshot()).rejects.toThrow(SandboxError)
      const snapshotId = `snap_${'0'.repeat(24)}`
      await expect(port.create({ ...options, name: 'x', snapshotId })).rejects.toThrow(SandboxError)
      const local = await openMachine(name, 'local')
      const creating = local.create({ ...options, name: 'x', snapshotId })
      await expect(creating).rejects.toThrow(SnapshotGoneError)
      await expect(creating).rejects.toMatchObject({ isLocal: true })
      await sandbox.destroy()
    })
  })
