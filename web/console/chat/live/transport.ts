import { DefaultChatTransport, type UIMessage } from 'ai'
import { createResumingFetch } from '../../../../client/index.ts'
import { fetchSigned } from '../../access/api.ts'
import { fetchChatKey } from '../../access/chat-key.ts'
import { currentCredential, endSignIn } from '../../access/credential.ts'
import { ApiFailure } from '../../access/failure.ts'
import { apiOrigin } from '../../access/settings.ts'
import { startSandbox } from '../session-calls.ts'

export type ChatPlace = { sessionId: string; chatId: string }

/** Of a long chat the newest messages are sent: those that a model's context can hold. */
const maxSentMessages = 400
const maxSentCharacters = 4_000_000

/**
 * The stock transport of the AI SDK; a connection that breaks goes on behind the last frame it brought. `onRefused`: a turn
 * was not accepted.
 */
export function createTransport(
  { sessionId, chatId }: ChatPlace,
  onRefused: () => void,
): DefaultChatTransport<UIMessage> {
  return new DefaultChatTransport<UIMessage>({
    api: `${apiOrigin}/api/chat`,
    fetch: createResumingFetch(`${apiOrigin}/api/chat/${chatId}/stream`, {
      fetch: sendWithSandbox(sessionId, onRefused),
    }),
    prepareSendMessagesRequest: ({ messages }) => ({ body: { chatId, sessionId, messages: selectNewest(messages) } }),
  })
}

/** A turn needs a running sandbox: one that sleeps, or never was, is started and the turn sent again. */
function sendWithSandbox(sessionId: string, onRefused: () => void): typeof fetch {
  return async (input, init) => {
    if (init?.method !== 'POST') return fetchSigned(input, init)
    try {
      const response = await sendAwake(sessionId, input, init)
      if (!response.ok) onRefused()
      return response
    } catch (error) {
      if (error instanceof ApiFailure) onRefused()
      throw error
    }
  }
}

async function sendAwake(sessionId: string, input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const response = await sendTurn(input, init)
  if (response.status !== 400 || !(await response.clone().text()).includes('Sandbox not initialized')) return response
  await startSandbox(sessionId)
  return sendTurn(input, init)
}

async function sendTurn(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  const credential = currentCredential()
  headers.set('x-api-key', await fetchChatKey())
  const response = await fetch(input, { ...init, headers })
  if (response.status === 401 && currentCredential() === credential) endSignIn()
  return response
}

function selectNewest(messages: readonly UIMessage[]): UIMessage[] {
  const sent: UIMessage[] = []
  let characters = 0
  for (const message of messages.slice(-maxSentMessages).toReversed()) {
    characters += JSON.stringify(message).length
    if (characters > maxSentCharacters && sent.length > 0) break
    sent.unshift(message)
  }
  return sent
}
