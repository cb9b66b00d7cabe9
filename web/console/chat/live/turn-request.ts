import type { UIMessage } from 'ai'
import { fetchChatKey } from '../../access/chat-key.ts'
import { currentCredential, expireSignIn } from '../../access/credential.ts'
import { ApiClientError } from '../../access/failure.ts'
import { apiOrigin } from '../../access/settings.ts'
import { toParts, type Attachment } from '../attachments/attachment.ts'
import { startSandbox } from '../session-calls.ts'

export type ChatIds = { sessionId: string; chatId: string }

/** A user message. A resent message keeps its id, so that it is accepted only once. */
export type UserMessage = { id: string; text: string; files?: readonly Attachment[] }

/** Limits on the messages of a request. For a long chat, the request contains only the newest messages. */
const maxSentMessages = 400
const maxSentCharacters = 4_000_000

/**
 * Sends a message during an answer. Returns true if the message started a turn, because the answer has ended or was
 * interrupted; false if it was queued. Throws if the API rejects it.
 */
export async function sendWhileBusy(
  { sessionId, chatId }: ChatIds,
  history: UIMessage[],
  { id, text, files = [] }: UserMessage,
  onBusy: 'queue' | 'steer' | 'interrupt',
): Promise<boolean> {
  const messages = [...selectNewest(history), { id, role: 'user', parts: toParts(text, files) }]
  const response = await sendTurn(`${apiOrigin}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id },
    body: JSON.stringify({ chatId, sessionId, onBusy, messages }),
  })
  if (!response.ok) throw await readRejection(response)
  await response.body?.cancel()
  return response.status === 200
}

/**
 * Sends the messages of a chat whose last message contains answers and approvals. Does not read the stream of the resumed
 * turn. Throws if the API rejects the request.
 */
export async function sendAnswers({ sessionId, chatId }: ChatIds, messages: UIMessage[]): Promise<void> {
  const response = await sendWithSandbox(sessionId, `${apiOrigin}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chatId, sessionId, messages: selectNewest(messages) }),
  })
  if (!response.ok) throw await readRejection(response)
  await response.body?.cancel()
}

/** Returns the error of a response in which the API rejects a turn. */
export async function readRejection(response: Response): Promise<ApiClientError> {
  return new ApiClientError(response.status, await response.json().catch(() => ({})), response.headers)
}

/** True if the API rejected a turn because the chat has a live turn. */
export function isBusyRejection(error: unknown): boolean {
  return error instanceof ApiClientError && error.status === 409
}

/** Sends a turn. If the sandbox is not running, starts it and sends the turn again. */
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

/** Selects the newest messages within the limits of a request. */
export function selectNewest(messages: readonly UIMessage[]): UIMessage[] {
  const selected: UIMessage[] = []
  let characters = 0
  for (const message of messages.slice(-maxSentMessages).toReversed()) {
    characters += JSON.stringify(message).length
    if (characters > maxSentCharacters && selected.length > 0) break
    selected.unshift(message)
  }
  return selected
}
