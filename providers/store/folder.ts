import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'
import { createDiskObjects, ignoreErrorCode } from '../blob/built-in/disk-objects.ts'
import { BlobTooLargeError } from '../blob/index.ts'
import { createSpool } from '../blob/built-in/spool.ts'
import { ProviderError } from '../errors/provider-error.ts'
import { guessContentType, isStoreKey, requireKey, type StorePort } from './index.ts'

export type FolderStoreOptions = {
  folder: string
  /** Prefix of the URLs of objects. */
  storeUrl: string
}

/** Stores objects as files on this machine, which the API serves. */
export function createFolderStore(options: FolderStoreOptions): StorePort {
  const objects = createDiskObjects(options.folder)
  const spool = createSpool(`${options.folder}/incoming`)
  const storeUrl = withoutTrailingSlashes(options.storeUrl)
  const buildUrl = (key: string): string => `${storeUrl}/${requireKey(key)}`
  return {
    put: async (key, content, { overwrite, maxBytes = Number.MAX_SAFE_INTEGER, signal }) => {
      const source = Readable.from(content, { objectMode: false, ...(signal !== undefined && { signal }) })
      // Without a listener, an abort before the spool reads the source would end the process.
      source.on('error', () => {})
      const diskOptions = { readable: true, exclusive: !overwrite }
      try {
        return await spool.receive(source, maxBytes, async (file) => {
          await objects.put(requireKey(key), file, diskOptions)
          return { url: buildUrl(key), bytes: file.size }
        })
      } catch (error) {
        throw toStoreError(error)
      } finally {
        source.destroy()
      }
    },
    publicUrl: (key) => Promise.resolve(buildUrl(key)),
    sweep: (before) => spool.sweep(before),
    delete: (key) => objects.remove(requireKey(key)),
    parseKey: (url) => {
      const key = url.startsWith(`${storeUrl}/`) ? url.slice(storeUrl.length + 1) : ''
      return isStoreKey(key) ? key : undefined
    },
    open: async (key, range) => {
      const path = objects.resolvePath(requireKey(key))
      const stats = await ignoreErrorCode('ENOENT', stat(path, { bigint: true }))
      if (stats === undefined) return undefined
      const part = range === undefined ? {} : { start: range.first, end: range.last }
      return {
        size: Number(stats.size),
        contentType: guessContentType(key),
        // A put creates another file, whose inode number differs.
        etag: `"${[stats.ino, stats.size, stats.mtimeNs].map((value) => value.toString(36)).join('-')}"`,
        changedAt: stats.mtime,
        content: createReadStream(path, part),
      }
    },
  }
}

function toStoreError(error: unknown): unknown {
  if (error instanceof BlobTooLargeError) return new ProviderError('invalid', `store: ${error.message}`)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EEXIST') return new ProviderError('declined', 'store: an object with this key already exists')
  return code === 'ENOSPC' || code === 'EDQUOT' ? new ProviderError('unavailable', 'store: the disk is full') : error
}
