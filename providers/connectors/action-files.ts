import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { imageExtensions } from '../../domain/connectors/action-files.ts'
import type { StorePort } from '../store/index.ts'
import type { ActionFiles } from './index.ts'

/** Stores action files in the object store. */
export function createActionFiles(store: Pick<StorePort, 'put' | 'open' | 'delete'>): ActionFiles {
  return {
    planKey: (mimetype) => {
      const extension = mimetype in imageExtensions ? imageExtensions[mimetype as keyof typeof imageExtensions] : 'bin'
      return `connectors/${randomBytes(24).toString('hex')}.${extension}`
    },
    save: async (key, bytes, { mimetype, accountId }) => {
      await store.put(key, oneChunk(bytes), { contentType: mimetype, overwrite: false, accountId })
    },
    read: async (key) => {
      const object = await store.open(key)
      return object && buffer(object.content)
    },
    drop: (key) => store.delete(key),
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
