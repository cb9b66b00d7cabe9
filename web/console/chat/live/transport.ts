import { DefaultChatTransport, type HttpChatTransportInitOptions, type UIMessage } from 'ai'
import { createResumingFetch } from '../../../../client/index.ts'
import { fetchWithCredential } from '../../access/api.ts'
import { apiOrigin } from '../../access/settings.ts'
import { toRetractionParts } from '../messages/retractions.ts'
import { insertEarlierParts } from './earlier-parts.ts'
import { readRejection, selectNewest, sendWithSandbox, type ChatIds } from './turn-request.ts'

/**
 * Creates a transport for the AI SDK that resumes a lost connection after the last received frame. Calls `onRejected` if the
 * API rejects a turn. `stored`: the last message of the chat when it was loaded.
 */
export function createTransport(
  { sessionId, chatId }: ChatIds,
  onRejected: (error: unknown) => void,
  stored: UIMessage | undefined,
): DefaultChatTransport<UIMessage> {
  return new ContinuingTransport(stored, {
    api: `${apiOrigin}/api/chat`,
    fetch: createResumingFetch(`${apiOrigin}/api/chat/${chatId}/stream`, {
      fetch: createTurnFetch(sessionId, onRejected),
    }),
    prepareSendMessagesRequest: ({ messages, trigger, messageId }) => {
      const last = messages.at(-1)
      const isNew = trigger === 'submit-message' && messageId === undefined && last?.role === 'user'
      return {
        // With this key, resending a message after a lost response does not start a second turn.
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

class ContinuingTransport extends DefaultChatTransport<UIMessage> {
  readonly #stored: UIMessage | undefined

  constructor(stored: UIMessage | undefined, options: HttpChatTransportInitOptions<UIMessage>) {
    super(options)
    this.#stored = stored
  }

  protected override processResponseStream(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    return super.processResponseStream(stream).pipeThrough(toRetractionParts())
  }

  override async reconnectToStream(options: Parameters<DefaultChatTransport<UIMessage>['reconnectToStream']>[0]) {
    const stream = await super.reconnectToStream(options)
    return stream && stream.pipeThrough(insertEarlierParts(this.#stored))
  }
}

/** Creates a `fetch` that adds the credential, and calls `onRejected` if the API rejects a turn. */
function createTurnFetch(sessionId: string, onRejected: (error: unknown) => void): typeof fetch {
  return async (input, init) => {
    if (init?.method !== 'POST') return fetchWithCredential(input, init)
    try {
      const response = await sendWithSandbox(sessionId, input, init)
      if (!response.ok) onRejected(await readRejection(response.clone()))
      return response
    } catch (error) {
      onRejected(error)
      throw error
    }
  }
}
