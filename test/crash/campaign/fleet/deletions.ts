import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Records } from '../../records/records.ts'

/** A sweep runs once per minute. It removes the files on machines that did not respond in a later run. */
const maxRemovalMs = 150_000
const pollMs = 1000

const listDeletedSessions = ({ operations, store }: Records): string[] => {
  const chats = new Set(
    operations.filter(({ kind, status }) => kind === 'delete' && status === 200).map(({ chatId }) => chatId),
  )
  return [...new Set(store.runs.flatMap(({ chatId, sessionId = '' }) => (chats.has(chatId) ? [sessionId] : [])))]
}

/**
 * Waits up to `maxRemovalMs` until no machine has a folder of a deleted session. Returns the number of deleted
 * sessions and a description of each remaining folder.
 */
export const awaitDeletions = async (
  { machines }: Cluster,
  records: Records,
): Promise<{ deleted: number; remaining: string[] }> => {
  const sessions = listDeletedSessions(records)
  const findRemaining = (): string[] =>
    sessions.flatMap((id) =>
      machines
        .listWithSandbox(`session-${id}`)
        .map((machine) => `the files of the deleted session ${id} are on machine ${machine}`),
    )
  const deadline = Date.now() + maxRemovalMs
  while (findRemaining().length > 0 && Date.now() < deadline) await sleep(pollMs)
  return { deleted: sessions.length, remaining: findRemaining() }
}
