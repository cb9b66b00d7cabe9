import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDiskSpace, type FileSystem } from '../../providers/disk-space.ts'
import type { SandboxPort } from '../../providers/sandbox/index.ts'
import { createJustBashSandboxes } from '../../providers/sandbox/just-bash.ts'
import { gitIdentity, limits } from './sandbox/contract.ts'

const gibibyte = 1024 ** 3
const roomyDisk: FileSystem = { totalBytes: 100 * gibibyte, freeBytes: 50 * gibibyte, totalFiles: 1e6, freeFiles: 5e5 }

let disk = roomyDisk
const open = (reserveBytes?: number) =>
  openDiskSpace({ folder: '/nowhere', reserveBytes, probe: () => Promise.resolve(disk) })
beforeEach(() => {
  disk = roomyDisk
})

describe('the disk reserve', () => {
  it.each([
    [10, 1],
    [100, 5],
    [5000, 10],
  ])('of %d GiB is %d GiB unless it is set', async (total, reserve) => {
    disk = { ...roomyDisk, totalBytes: total * gibibyte }
    expect((await open()).reserveBytes).toBe(reserve * gibibyte)
    expect((await open(7)).reserveBytes).toBe(7)
  })

  it('leaves the free space above the reserve for use', async () => {
    const space = await open()
    expect(await space.room()).toBe(45 * gibibyte)
    disk = { ...roomyDisk, freeBytes: 4 * gibibyte }
    expect(await space.room()).toBe(0)
    expect(await space.freeBytes()).toBe(4 * gibibyte)
  })

  it('also covers the number of files if the file system limits it', async () => {
    const space = await open()
    disk = { ...roomyDisk, freeFiles: 10 }
    expect(await space.room()).toBe(0)
    disk = { ...roomyDisk, totalFiles: 0, freeFiles: 0 }
    expect(await space.room()).toBe(45 * gibibyte)
  })

  it('applies to the nearest existing parent folder', async () => {
    const space = await openDiskSpace({ folder: join(tmpdir(), 'absent', 'absent'), reserveBytes: 0 })
    expect(await space.freeBytes()).toBeGreaterThan(0)
  })
})

describe('sandboxes on a disk with less free space than its reserve', () => {
  let root: string
  let sandboxes: SandboxPort
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'backline-disk-space-'))
    sandboxes = await createJustBashSandboxes({ root, disk: await open(gibibyte), limits: { reserveBytes: 0 } })
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  it('run commands and store short receipts, but cannot create snapshots or be created from one', async () => {
    const options = { timeoutMs: 60_000, gitIdentity }
    const sandbox = await sandboxes.create({ ...options, name: 'early' })
    const { snapshotId } = await sandbox.snapshot()
    disk = { ...roomyDisk, freeBytes: gibibyte - 1 }
    const long = 'printf "x%.0s" {1..5000}'
    expect(await sandbox.exec(long, { ...limits, receipt: 'long' })).toMatchObject({ exitCode: 0, truncated: false })
    const receipt = await sandbox.findReceipt('long')
    expect(receipt).toEqual({ exitCode: 0, timedOut: false, truncated: true, output: 'x'.repeat(2000) })
    await expect(sandbox.snapshot()).rejects.toThrow('no disk space for a snapshot')
    await expect(sandboxes.create({ ...options, name: 'late', snapshotId })).rejects.toThrow('no disk space')
    disk = roomyDisk
    await (await sandboxes.create({ ...options, name: 'late', snapshotId })).destroy()
    await sandbox.destroy()
  })

  it('cannot create a snapshot that would use up the reserve', async () => {
    const sandbox = await sandboxes.create({ timeoutMs: 60_000, gitIdentity, name: 'large' })
    disk = { ...roomyDisk, freeBytes: gibibyte + 100 }
    await expect(sandbox.snapshot()).rejects.toThrow('no disk space for a snapshot')
    await sandbox.destroy()
  })
})
