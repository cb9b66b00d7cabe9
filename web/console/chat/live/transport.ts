import { DefaultChatTransport, type UIMessage } from 'ai'
import { createResumingFetch } from '../../../../client/index.ts'
import { fetchSigned } from '../../access/api.ts'
import { fetchChatKey } from '../../access/chat-key.ts'
import { currentCredential, expireSignIn } from '../../access/credential.ts'
import { ApiFailure, explain } from '../../access/failure.ts'
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
  onRefused: (reason: string) => void,
): DefaultChatTransport<UIMessage> {
  return new DefaultChatTransport<UIMessage>({
    api: `${apiOrigin}/api/chat`,
    fetch: createResumingFetch(`${apiOrigin}/api/chat/${chatId}/stream`, {
      fetch: createTurnFetch(sessionId, onRefused),
    }),
    prepareSendMessagesRequest: ({ messages, trigger, messageId }) => {
      const last = messages.at(-1)
      const isNew = trigger === 'submit-message' && messageId === undefined && last?.role === 'user'
      return {
        // A message that is sent again after a lost response starts no second turn.
        ...(isNew && { headers: { 'idempotency-key': last.id } }),
        body: {
          chatId,
          sessionId,
          messages: selectNewest(messages),
          ...(messageId !== undefined && { trigger, messageId }),
        },
      }
    },
  })
}

/**
 * Sends a message while an answer runs. True if it has started a turn, because the answer ended meanwhile or was
 * interrupted; false if it waits. Throws if the API does not accept it.
 */
export async function sendWhileBusy(
  { sessionId, chatId }: ChatPlace,
  history: UIMessage[],
  { id, text }: { id: string; text: string },
  onBusy: 'queue' | 'steer' | 'interrupt',
): Promise<boolean> {
  const messages = [...selectNewest(history), { id, role: 'user', parts: [{ type: 'text', text }] }]
  const response = await sendTurn(`${apiOrigin}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id },
    body: JSON.stringify({ chatId, sessionId, onBusy, messages }),
  })
  if (!response.ok) throw new Error(await explainRefusal(response))
  await response.body?.cancel()
  return response.status === 200
}

/** Creates a `fetch` that signs requests and calls `onRefused` when a turn is not accepted. */
function createTurnFetch(sessionId: string, onRefused: (reason: string) => void): typeof fetch {
  return async (input, init) => {
    if (init?.method !== 'POST') return fetchSigned(input, init)
    try {
      const response = await sendWithSandbox(sessionId, input, init)
      if (!response.ok) onRefused(await explainRefusal(response.clone()))
      return response
    } catch (error) {
      onRefused(explain(error))
      throw error
    }
  }
}

async function explainRefusal(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => ({}))
  return explain(new ApiFailure(response.status, body as Record<string, unknown>, response.headers))
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
