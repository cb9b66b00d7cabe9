import { api } from '../access/api.ts'

/** Stops the running turn of a chat. The chat keeps the output that the turn has generated so far. */
export function stopTurn(chatId: string, query: { account_id?: string } = {}): Promise<unknown> {
  return api.POST('/api/chat/{chatId}/stop', { path: { chatId }, query })
}

/** Starts or resumes the sandbox of a session. */
export function startSandbox(sessionId: string): Promise<unknown> {
  return api.POST('/api/sandbox', { body: { sessionId } })
}
