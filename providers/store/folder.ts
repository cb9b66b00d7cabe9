import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'
import { createDiskObjects, unless } from '../blob/built-in/disk-objects.ts'
import { BlobTooLargeError } from '../blob/index.ts'
import { createSpool } from '../blob/built-in/spool.ts'
import { ProviderError } from '../provider-error.ts'
import { guessContentType, isStoreKey, requireKey, type StorePort } from './index.ts'

export type FolderStoreOptions = {
  folder: string
  /** The address of an object is below it. */
  storeUrl: string
}

/** Objects as files of this machine, which the API serves. */
export function createFolderStore(options: FolderStoreOptions): StorePort {
  const objects = createDiskObjects(options.folder)
  const spool = createSpool(`${options.folder}/incoming`)
  const storeUrl = withoutTrailingSlashes(options.storeUrl)
  const buildUrl = (key: string): string => `${storeUrl}/${requireKey(key)}`
  return {
    put: async (key, content, { overwrite, maxBytes = Number.MAX_SAFE_INTEGER, signal }) => {
      const source = Readable.from(content, { objectMode: false, ...(signal !== undefined && { signal }) })
      // Aborted before the spool reads it, it would fail without a listener, which ends the process.
      source.on('error', () => {})
      const how = { readable: true, exclusive: !overwrite }
      try {
        return await spool.receive(source, maxBytes, async (file) => {
          await objects.put(requireKey(key), file, how)
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
      const found = await unless('ENOENT', stat(path, { bigint: true }))
      if (found === undefined) return undefined
      const part = range === undefined ? {} : { start: range.first, end: range.last }
      return {
        size: Number(found.size),
        contentType: guessContentType(key),
        // A put replaces the file, and so its number.
        etag: `"${[found.ino, found.size, found.mtimeNs].map((value) => value.toString(36)).join('-')}"`,
        changedAt: found.mtime,
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
