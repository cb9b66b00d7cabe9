import type { Logger } from 'pino'
import type { StorePort } from '../../providers/store/index.ts'

/** Deletes files from the store. If a deletion fails, a sweep finds the file by its row without an account and deletes it. */
export async function deleteFiles(
  { store, log }: { store: StorePort; log: Logger },
  keys: readonly string[],
): Promise<void> {
  for (const key of keys)
    await store
      .delete(key)
      .catch((err: unknown) => log.warn({ err, key }, 'failed to delete a file; it is deleted later'))
}
