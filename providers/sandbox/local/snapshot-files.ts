import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { BlobObjects } from '../../blob/index.ts'
import { SandboxError, type SandboxState } from '../index.ts'

/** Metadata of a snapshot. */
export type Label = { createdAt: number; format: string; source?: SandboxState['source'] }

/** Store of archives. A snapshot is complete or does not exist. */
export type SnapshotFiles = {
  /** True if only this machine can read the archives. Other machines may then have other snapshots. */
  isLocal: boolean
  /** Stores a complete archive. May move its file. */
  put(snapshotId: string, label: Label, archive: { path: string; size: number }): Promise<void>
  /** `size`: bytes of the archive. */
  open(snapshotId: string): Promise<{ label: Label; size: number; archive: Readable } | undefined>
  remove(snapshotId: string): Promise<void>
}

/** Stores snapshots in a folder on this machine. */
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
        const { size } = await archive.stat()
        return { label, size, archive: archive.createReadStream() }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    remove,
  }
}

/** Stores snapshots in the object store, which all machines share. Throws `SandboxError` if the store fails. */
export function createObjectFiles(objects: BlobObjects, folder: string): SnapshotFiles {
  return {
    isLocal: false,
    put: async (snapshotId, label, archive) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${snapshotId}.json.draft`)
      const content = JSON.stringify(label)
      try {
        await writeFile(path, content, { mode: 0o600 })
        await withStoreErrors(objects.put(buildArchiveName(snapshotId), archive))
        // The label is stored last, so that a snapshot with a label is complete.
        await withStoreErrors(objects.put(buildLabelName(snapshotId), { path, size: Buffer.byteLength(content) }))
      } finally {
        await rm(path, { force: true })
        await rm(archive.path, { force: true })
      }
    },
    open: async (snapshotId) => {
      const label = await withStoreErrors(objects.open(buildLabelName(snapshotId)))
      if (label === undefined) return undefined
      const parsed = JSON.parse(await withStoreErrors(text(label.content))) as Label
      const archive = await withStoreErrors(objects.open(buildArchiveName(snapshotId)))
      return archive && { label: parsed, size: archive.size, archive: archive.content }
    },
    remove: async (snapshotId) => {
      await withStoreErrors(objects.remove(buildLabelName(snapshotId)))
      await withStoreErrors(objects.remove(buildArchiveName(snapshotId)))
    },
  }
}

function buildArchiveName(snapshotId: string): string {
  return `snapshots/${snapshotId}.tgz`
}

function buildLabelName(snapshotId: string): string {
  return `snapshots/${snapshotId}.json`
}

async function withStoreErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new SandboxError('the object store of snapshots failed', { cause: error })
  }
}
