import { randomUUID } from 'node:crypto'
import type { MediaLedger } from '../../domain/media.ts'
import type { DiskSpace } from '../disk-space.ts'
import { ProviderError } from '../errors/provider-error.ts'
import type { StorePort } from './index.ts'

export type MeteredStoreOptions = {
  ledger: MediaLedger
  /** Undefined if a vendor stores the objects. */
  disk: Pick<DiskSpace, 'room'> | undefined
  log: { warn(details: object, message: string): void }
}

const mebibyte = 1024 * 1024
const maxStepBytes = 16 * mebibyte
const maxUnowned = 1000

/** Error code of a put that exceeds the quota of its account. */
const quotaCode = 'quota'

export function isQuotaFull(error: unknown): boolean {
  return error instanceof ProviderError && error.code === quotaCode
}

/**
 * Creates a store that reserves bytes before it writes them, within the quota of the account and outside the reserve of the
 * disk. The length of a stream is unknown until its end, so a put reserves in steps, which double up to 16 MiB, and releases
 * unused bytes.
 */
export function createMeteredStore(store: StorePort, { ledger, disk, log }: MeteredStoreOptions): StorePort {
  const deleteObject = async (key: string): Promise<void> => {
    await store.delete(key)
    await ledger.remove(key)
  }
  return {
    ...store,
    put: async (key, content, options) => {
      const { accountId } = options
      const attempt = randomUUID()
      let reserved = 0
      const reserve = async (bytes: number): Promise<void> => {
        const outcome = await ledger.reserve({ attempt, accountId, bytes, room: await disk?.room() })
        if (outcome === 'quota')
          throw new ProviderError('declined', 'store: the quota of the account is full', { code: quotaCode })
        if (outcome === 'disk') throw new ProviderError('unavailable', 'store: the disk has no space above its reserve')
        reserved += bytes
      }
      const reserveAndRead = async function* (): AsyncGenerator<Uint8Array> {
        let bytes = 0
        for await (const chunk of content) {
          bytes += chunk.length
          if (bytes > reserved) await reserve(Math.max(bytes - reserved, Math.min(reserved, maxStepBytes)))
          yield chunk
        }
      }
      try {
        await reserve(Math.min(mebibyte, options.maxBytes ?? mebibyte))
        const stored = await store.put(key, reserveAndRead(), options)
        await ledger.store(attempt, { key, accountId, bytes: stored.bytes })
        return stored
      } catch (error) {
        await ledger
          .release(attempt)
          .catch((err: unknown) => log.warn({ err, key }, 'the reservation of an object was not released; it expires'))
        throw error
      }
    },
    delete: deleteObject,
    sweep: async (before) => {
      await store.sweep(before)
      await ledger.expire()
      for (const key of await ledger.listUnowned(maxUnowned)) await deleteObject(key)
    },
  }
}
