import { DefaultChatTransport, type UIMessage } from 'ai'
import { createResumingFetch } from '../../../../client/index.ts'
import { fetchSigned } from '../../access/api.ts'
import { fetchChatKey } from '../../access/chat-key.ts'
import { currentCredential, expireSignIn } from '../../access/credential.ts'
import { ApiFailure } from '../../access/failure.ts'
import { apiOrigin } from '../../access/settings.ts'
import { startSandbox } from '../session-calls.ts'

export type ChatPlace = { sessionId: string; chatId: string }

/** Limits of the messages sent with a turn. Of a long chat only the newest are sent, which fit the context of a model. */
const maxSentMessages = 400
const maxSentCharacters = 4_000_000

/**
 * Creates the default transport of the AI SDK, which resumes a lost connection after the last frame that it received.
 * `onRefused` is called when a turn is not accepted.
 */
export function createTransport(
  { sessionId, chatId }: ChatPlace,
  onRefused: () => void,
): DefaultChatTransport<UIMessage> {
  return new DefaultChatTransport<UIMessage>({
    api: `${apiOrigin}/api/chat`,
    fetch: createResumingFetch(`${apiOrigin}/api/chat/${chatId}/stream`, {
      fetch: createTurnFetch(sessionId, onRefused),
    }),
    prepareSendMessagesRequest: ({ messages }) => ({ body: { chatId, sessionId, messages: selectNewest(messages) } }),
  })
}

/** Creates a `fetch` that signs requests and calls `onRefused` when a turn is not accepted. */
function createTurnFetch(sessionId: string, onRefused: () => void): typeof fetch {
  return async (input, init) => {
    if (init?.method !== 'POST') return fetchSigned(input, init)
    try {
      const response = await sendWithSandbox(sessionId, input, init)
      if (!response.ok) onRefused()
      return response
    } catch (error) {
      if (error instanceof ApiFailure) onRefused()
      throw error
    }
  }
}

/** Sends a turn. If the sandbox does not run, starts it and sends the turn again. */
async function sendWithSandbox(sessionId: string, input: RequestInfo | URL, init: RequestInit): Promise<Response> {
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
  if (response.status === 401 && currentCredential() === credential) expireSignIn()
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
