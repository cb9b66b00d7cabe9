import type { ApiDeps } from '../deps.ts'

/** What cannot be deleted now is deleted by the sweep: its rows name no account any more. */
export async function deleteFiles({ store, log }: ApiDeps, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await store.delete(key).catch((err: unknown) => log.warn({ err, key }, 'a file is deleted later'))
}
