import type { Readable } from 'node:stream'
import type { PackKey } from '../../../domain/repositories/stored.ts'
import type { BlobObjects } from '../../blob/index.ts'
import { CodeHostUnavailableError } from '../index.ts'

/** Packs in the object store. Operations throw `CodeHostUnavailableError` if the store fails or does not respond in time. */
export type PackObjects = {
  upload(key: PackKey, file: { path: string; size: number }): Promise<void>
  /** Opens the object of a pack. The reader must destroy the stream. */
  open(key: PackKey): Promise<Readable>
  remove(key: PackKey): Promise<void>
}

const responseTimeoutMs = 60_000
const uploadTimeoutMs = 10 * 60_000

export function createPackObjects(objects: BlobObjects): PackObjects {
  return {
    upload: (key, file) => withTimeout(objects.put(toName(key), file), uploadTimeoutMs),
    open: async (key) => {
      const object = await withTimeout(objects.open(toName(key)), responseTimeoutMs)
      if (object === undefined) throw new Error(`the object store has no object ${toName(key)}`)
      return object.content
    },
    remove: (key) => withTimeout(objects.remove(toName(key)), responseTimeoutMs),
  }
}

function toName({ repositoryId, sha256, id }: PackKey): string {
  return `repositories/${repositoryId}/${sha256}/${id}.pack`
}

async function withTimeout<T>(work: Promise<T>, maxMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not respond in time')), maxMs)
  })
  try {
    return await Promise.race([work, timeout])
  } catch (error) {
    throw toUnavailable(error)
  } finally {
    clearTimeout(timer)
  }
}

export function toUnavailable(cause: unknown): CodeHostUnavailableError {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new CodeHostUnavailableError(`the object store failed: ${reason}`, { cause })
}
