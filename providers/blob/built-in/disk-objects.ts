import { createReadStream } from 'node:fs'
import { chmod, link, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobObjects } from '../index.ts'

const namePattern = /^[\w-]+(?:\/[\w-]+)*(?:\.[a-z0-9]+)?$/

type DiskOptions = {
  /** Whether other users of this machine can read the files. */
  readable?: boolean
  /** Whether `put` fails with the code EEXIST if the object exists. */
  exclusive?: boolean
}

export type DiskObjects = BlobObjects & {
  put(name: string, file: { path: string; size: number }, options?: DiskOptions): Promise<void>
  resolvePath(name: string): string
}

/** Stores objects as files below a folder. `put` moves files, so they must be on the same file system. */
export function createDiskObjects(root: string): DiskObjects {
  const resolvePath = (name: string): string => {
    if (!namePattern.test(name)) throw new TypeError('invalid object name')
    return join(root, name)
  }
  return {
    resolvePath,
    put: async (name, file, { readable = false, exclusive = false } = {}) => {
      const path = resolvePath(name)
      if (readable) await chmod(file.path, 0o644)
      await flush(file.path)
      const move = async (): Promise<void> => {
        await mkdir(dirname(path), { recursive: true, mode: readable ? 0o755 : 0o700 })
        await (exclusive ? link(file.path, path) : rename(file.path, path))
      }
      // A concurrent sweep may delete the folder while it is still empty.
      await move().catch((error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? Promise.reject(error) : move()))
    },
    open: async (name) => {
      const path = resolvePath(name)
      const stats = await ignoreErrorCode('ENOENT', stat(path))
      return stats === undefined ? undefined : { size: stats.size, content: createReadStream(path) }
    },
    remove: async (name) => {
      await rm(resolvePath(name), { force: true })
    },
    list: async function* (prefix) {
      const folder = resolvePath(prefix)
      for (const name of (await ignoreErrorCode('ENOENT', readdir(folder, { recursive: true }))) ?? []) {
        const path = join(folder, name)
        const stats = await ignoreErrorCode('ENOENT', stat(path))
        if (stats?.isDirectory()) await rmdir(path).catch(() => undefined)
        if (stats?.isFile()) yield { name: `${prefix}/${name}`, size: stats.size, changedAt: stats.mtime }
      }
    },
  }
}

/** Resolves to undefined if the operation fails with this error code. */
export async function ignoreErrorCode<T>(code: string, operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined
    throw error
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
