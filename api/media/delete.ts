import type { Logger } from 'pino'
import type { StorePort } from '../../providers/store/index.ts'

/**
 * Deletes the files. The sweep deletes the remaining ones later, because their rows no longer have an account.
 */
export async function deleteFiles(
  { store, log }: { store: StorePort; log: Logger },
  keys: readonly string[],
): Promise<void> {
  for (const key of keys)
    await store
      .delete(key)
      .catch((err: unknown) => log.warn({ err, key }, 'failed to delete a file; it is deleted later'))
}
