import { toAccountField } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { stopTurn } from '../chat/session-calls.ts'

type RunToCancel = { id: string; kind: string; accountId: string; chatId: string | null }

export async function cancelRun({ id, kind, accountId, chatId }: RunToCancel): Promise<void> {
  if (kind === 'turn' && chatId !== null) await stopTurn(chatId, toAccountField(accountId))
  else await read(api.DELETE('/api/tasks/runs', { params: { query: { runId: id } } }))
}
