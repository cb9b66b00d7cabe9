import type { UIMessage } from 'ai'
import { fetchChatKey } from '../../access/chat-key.ts'
import { currentCredential, expireSignIn } from '../../access/credential.ts'
import { ApiClientError, explain } from '../../access/failure.ts'
import { apiOrigin } from '../../access/settings.ts'
import { toParts, type Attachment } from '../attachments/attachment.ts'
import { startSandbox } from '../session-calls.ts'

export type ChatPlace = { sessionId: string; chatId: string }

/** A message of the user. The id stays the same when it is sent again, so that it is accepted only once. */
export type OwnMessage = { id: string; text: string; files?: readonly Attachment[] }

/** Limits of the messages sent with a turn. Of a long chat only the newest are sent, which fit the context of a model. */
const maxSentMessages = 400
const maxSentCharacters = 4_000_000

/**
 * Sends a message while an answer runs. True if it has started a turn, because the answer ended meanwhile or was
 * interrupted; false if it waits. Throws if the API does not accept it.
 */
export async function sendWhileBusy(
  { sessionId, chatId }: ChatPlace,
  history: UIMessage[],
  { id, text, files = [] }: OwnMessage,
  onBusy: 'queue' | 'steer' | 'interrupt',
): Promise<boolean> {
  const messages = [...selectNewest(history), { id, role: 'user', parts: toParts(text, files) }]
  const response = await sendTurn(`${apiOrigin}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id },
    body: JSON.stringify({ chatId, sessionId, onBusy, messages }),
  })
  if (!response.ok) throw new Error(await explainRefusal(response))
  await response.body?.cancel()
  return response.status === 200
}

/**
 * Sends the messages of a chat whose last one has answers to its questions and approvals, without reading the stream of
 * the turn that continues. Throws if the API does not accept them.
 */
export async function sendAnswers({ sessionId, chatId }: ChatPlace, messages: UIMessage[]): Promise<void> {
  const response = await sendWithSandbox(sessionId, `${apiOrigin}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chatId, sessionId, messages: selectNewest(messages) }),
  })
  if (!response.ok) throw new Error(await explainRefusal(response))
  await response.body?.cancel()
}

/** Describes the refusal of a turn for the user. */
export async function explainRefusal(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => ({}))
  return explain(new ApiClientError(response.status, body as Record<string, unknown>, response.headers))
}

/** Sends a turn. If the sandbox does not run, starts it and sends the turn again. */
export async function sendWithSandbox(
  sessionId: string,
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<Response> {
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

/** Selects the newest messages that a turn may send. */
export function selectNewest(messages: readonly UIMessage[]): UIMessage[] {
  const sent: UIMessage[] = []
  let characters = 0
  for (const message of messages.slice(-maxSentMessages).toReversed()) {
    characters += JSON.stringify(message).length
    if (characters > maxSentCharacters && sent.length > 0) break
    sent.unshift(message)
  }
  return sent
}
