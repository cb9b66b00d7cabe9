import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobObjects } from '../index.ts'

const namePattern = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/

/** Objects as files below a folder, which must be on the file system of the files that are put. */
export function createDiskObjects(root: string): BlobObjects {
  const pathOf = (name: string): string => {
    if (!namePattern.test(name)) throw new TypeError('not a name of an object')
    return join(root, name)
  }
  return {
    put: async (name, file) => {
      const path = pathOf(name)
      await flush(file.path)
      const move = async (): Promise<void> => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await rename(file.path, path)
      }
      // A sweep may take the empty folder away in between.
      await move().catch(move)
    },
    open: async (name) => {
      const path = pathOf(name)
      const found = await unless('ENOENT', stat(path))
      return found === undefined ? undefined : { size: found.size, content: createReadStream(path) }
    },
    remove: async (name) => {
      await rm(pathOf(name), { force: true })
    },
    list: async function* (prefix) {
      const folder = pathOf(prefix)
      for (const name of (await unless('ENOENT', readdir(folder, { recursive: true }))) ?? []) {
        const path = join(folder, name)
        const found = await unless('ENOENT', stat(path))
        if (found?.isDirectory()) await rmdir(path).catch(() => undefined)
        if (found?.isFile()) yield { name: `${prefix}/${name}`, size: found.size, changedAt: found.mtime }
      }
    },
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

async function unless<T>(code: string, doing: Promise<T>): Promise<T | undefined> {
  try {
    return await doing
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined
    throw error
  }
}
