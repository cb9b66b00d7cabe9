import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobObjects } from '../../blob/index.ts'
import type { DiskSpace } from '../../disk-space.ts'
import { SandboxError, SnapshotGoneError, type SandboxState, type Snapshot } from '../index.ts'
import { createFolderFiles, createObjectFiles, type Label } from './snapshot-files.ts'

/** Stores archives of local sandboxes. The host never parses them. */
export type SnapshotStore = {
  /** Stores the complete output of `pack`, or nothing. */
  save(source: SandboxState['source'], pack: (sink: Writable) => Promise<void>): Promise<Snapshot>
  /** Opens a snapshot. Throws `SnapshotGoneError` for an unknown id. */
  open(snapshotId: string): Promise<{ source: SandboxState['source']; archive: Readable }>
  remove(snapshotId: string): Promise<void>
}

/** Age at which a draft counts as abandoned: longer than the creation of a snapshot takes. */
const maxLeftoverAgeMs = 60 * 60 * 1000

const idPattern = /^snap_[0-9a-f]{24}$/

const noSpace = 'no disk space for a snapshot'

type SnapshotStoreOptions = {
  /** Archive format. Drivers that share a store cannot unpack archives of another format. */
  format: string
  maxBytes: number
  disk: Pick<DiskSpace, 'room'>
  /** Object store of the fleet. Defaults to a folder below the root. */
  objects?: BlobObjects | undefined
}

export function createSnapshotStore(
  root: string,
  { format, maxBytes, disk, objects }: SnapshotStoreOptions,
): SnapshotStore {
  const folder = join(root, '.snapshots')
  const files = objects === undefined ? createFolderFiles(folder) : createObjectFiles(objects, folder)
  const { isLocal } = files

  /** Deletes drafts of interrupted snapshots. */
  const sweepDrafts = async (): Promise<void> => {
    for (const entry of await readdir(folder)) {
      if (!entry.endsWith('.draft')) continue
      const { mtimeMs } = await stat(join(folder, entry)).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > maxLeftoverAgeMs) await rm(join(folder, entry), { force: true })
    }
  }

  const writeDraft = async (draft: string, room: number, pack: (sink: Writable) => Promise<void>): Promise<number> => {
    const sink = createSizeLimit(maxBytes, room)
    const written = pipeline(sink, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    const packing = pack(sink).catch((error: Error) => {
      sink.destroy(error)
      throw error
    })
    const [writeResult] = await Promise.allSettled([written, packing])
    if (writeResult.status === 'rejected') throw writeResult.reason
    await packing
    return (await stat(draft)).size
  }

  return {
    save: async (source, pack) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await sweepDrafts()
      const room = await disk.room()
      if (room <= 0) throw new SandboxError(noSpace)
      const snapshotId = `snap_${randomBytes(12).toString('hex')}`
      const draft = join(folder, `${snapshotId}.tar.gz.draft`)
      try {
        const sizeBytes = await writeDraft(draft, room, pack)
        const label: Label = { createdAt: Date.now(), format, ...(source && { source }) }
        await files.put(snapshotId, label, { path: draft, size: sizeBytes })
        return { snapshotId, sizeBytes }
      } finally {
        await rm(draft, { force: true })
      }
    },

    open: async (snapshotId) => {
      if (!idPattern.test(snapshotId)) throw new SnapshotGoneError('no such snapshot')
      const stored = await files.open(snapshotId)
      if (stored === undefined) throw new SnapshotGoneError(`no snapshot ${snapshotId}`, { isLocal })
      const { label, archive } = stored
      if (label.format === format) return { source: label.source, archive }
      archive.destroy()
      throw new SnapshotGoneError(`snapshot ${snapshotId} is one of ${label.format}`, { isLocal: true })
    },

    remove: async (snapshotId) => {
      if (!idPattern.test(snapshotId)) return
      await files.remove(snapshotId)
    },
  }
}

function createSizeLimit(maxBytes: number, room: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      if (size > maxBytes) done(new SandboxError('the snapshot is too large'))
      else if (size > room) done(new SandboxError(noSpace))
      else done(null, chunk)
    },
  })
}
