import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { imageEndings } from '../../domain/connectors/files.ts'
import type { StorePort } from '../store/index.ts'
import type { StagedFiles } from './index.ts'

/** Staged files in the object store. */
export function createStagedFiles(store: Pick<StorePort, 'put' | 'open' | 'delete'>): StagedFiles {
  return {
    keep: async (bytes, { mimetype, accountId }) => {
      const ending = mimetype in imageEndings ? imageEndings[mimetype as keyof typeof imageEndings] : 'bin'
      const key = `connectors/${randomBytes(24).toString('hex')}.${ending}`
      await store.put(key, oneChunk(bytes), { contentType: mimetype, overwrite: false, accountId })
      return key
    },
    read: async (key) => {
      const found = await store.open(key)
      return found && buffer(found.content)
    },
    drop: (key) => store.delete(key),
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
