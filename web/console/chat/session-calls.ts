import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'

/** The turn ends by itself, with everything that was said. */
export function stopTurn(chatId: string, of: { account_id?: string } = {}): Promise<unknown> {
  return read(api.POST('/api/chat/{chatId}/stop', { params: { path: { chatId }, query: of } }))
}

/** Starts the sandbox of a session, or wakes it. */
export function startSandbox(sessionId: string): Promise<unknown> {
  return read(api.POST('/api/sandbox', { body: { sessionId } }))
}
