import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { BlobObjects } from '../../blob/index.ts'
import { SandboxError, type SandboxState } from '../index.ts'

/** Data of a snapshot in addition to its bytes. */
export type Label = { createdAt: number; format: string; source?: SandboxState['source'] }

/** Where archives are stored. A snapshot is complete or does not exist. */
export type SnapshotFiles = {
  /** True if no other machine can read them: what is absent here may exist elsewhere. */
  isLocal: boolean
  /** Stores a complete archive, whose file may be moved. */
  put(snapshotId: string, label: Label, archive: { path: string; size: number }): Promise<void>
  open(snapshotId: string): Promise<{ label: Label; archive: Readable } | undefined>
  remove(snapshotId: string): Promise<void>
}

/** Snapshots in a folder of this machine. */
export function createFolderFiles(folder: string): SnapshotFiles {
  const buildArchivePath = (snapshotId: string): string => join(folder, `${snapshotId}.tar.gz`)
  const buildLabelPath = (snapshotId: string): string => join(folder, `${snapshotId}.json`)
  const remove = async (snapshotId: string): Promise<void> => {
    await rm(buildArchivePath(snapshotId), { force: true })
    await rm(buildLabelPath(snapshotId), { force: true })
  }
  return {
    isLocal: true,
    put: async (snapshotId, label, { path }) => {
      try {
        await writeFile(buildLabelPath(snapshotId), JSON.stringify(label), { mode: 0o600 })
        await rename(path, buildArchivePath(snapshotId))
      } catch (error) {
        await remove(snapshotId)
        throw error
      }
    },
    open: async (snapshotId) => {
      try {
        const label = JSON.parse(await readFile(buildLabelPath(snapshotId), 'utf8')) as Label
        const archive = await open(buildArchivePath(snapshotId), 'r')
        return { label, archive: archive.createReadStream() }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    remove,
  }
}

/** Snapshots in the object store, which every machine reads. Throws `SandboxError` if the store fails. */
export function createObjectFiles(objects: BlobObjects, folder: string): SnapshotFiles {
  return {
    isLocal: false,
    put: async (snapshotId, label, archive) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${snapshotId}.json.draft`)
      const content = JSON.stringify(label)
      try {
        await writeFile(path, content, { mode: 0o600 })
        await inStore(objects.put(buildArchiveName(snapshotId), archive))
        // Last: a snapshot with a label is complete.
        await inStore(objects.put(buildLabelName(snapshotId), { path, size: Buffer.byteLength(content) }))
      } finally {
        await rm(path, { force: true })
        await rm(archive.path, { force: true })
      }
    },
    open: async (snapshotId) => {
      const label = await inStore(objects.open(buildLabelName(snapshotId)))
      if (label === undefined) return undefined
      const parsed = JSON.parse(await inStore(text(label.content))) as Label
      const archive = await inStore(objects.open(buildArchiveName(snapshotId)))
      return archive && { label: parsed, archive: archive.content }
    },
    remove: async (snapshotId) => {
      await inStore(objects.remove(buildLabelName(snapshotId)))
      await inStore(objects.remove(buildArchiveName(snapshotId)))
    },
  }
}

function buildArchiveName(snapshotId: string): string {
  return `snapshots/${snapshotId}.tgz`
}

function buildLabelName(snapshotId: string): string {
  return `snapshots/${snapshotId}.json`
}

async function inStore<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new SandboxError('the object store of snapshots failed', { cause: error })
  }
}
