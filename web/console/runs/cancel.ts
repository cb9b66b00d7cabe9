import { toAccountField } from '../access/acting.ts'
import { api, type Schemas } from '../access/api.ts'
import { stopTurn } from '../chat/session-calls.ts'

export async function cancelRun({ id, kind, accountId, chatId }: Schemas['ListedRun']): Promise<void> {
  if (kind === 'turn' && chatId !== null) await stopTurn(chatId, toAccountField(accountId))
  else await api.DELETE('/api/tasks/runs', { query: { runId: id } })
}
