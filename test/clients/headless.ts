import type * as sdk6 from 'ai'
import type { AbstractChat, ChatInit, ChatState, ChatStatus, UIMessage } from 'ai'
import type { OpenChat } from '../chat/chat-api.ts'

/** The parts of the SDK that an application uses. The majors differ in types that nothing here touches. */
export type Sdk = Pick<
  typeof sdk6,
  | 'AbstractChat'
  | 'DefaultChatTransport'
  | 'lastAssistantMessageIsCompleteWithApprovalResponses'
  | 'lastAssistantMessageIsCompleteWithToolCalls'
>

/**
 * The state that `useChat` keeps, without a renderer: every change makes a new list, and a message is copied when it
 * is set.
 */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined = undefined
  messages: UIMessage[]

  constructor(messages: UIMessage[]) {
    this.messages = messages
  }

  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message]
  }
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message))
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

export type Chat = AbstractChat<UIMessage>

/** A chat and the key of its owner. */
type ChatOfKey = Pick<OpenChat, 'chatId' | 'sessionId'> & { account: { key: string } }
type Options = Partial<ChatInit<UIMessage>> & { baseUrl: string; fetch?: typeof fetch }

/** `useChat` of an application: it configures the SDK with the location of the chat alone. */
export const openClient = (sdk: Sdk, { chatId, sessionId, account }: ChatOfKey, options: Options): Chat => {
  class HeadlessChat extends sdk.AbstractChat<UIMessage> {}
  const { baseUrl, fetch, messages = [], ...init } = options
  return new HeadlessChat({
    id: chatId,
    state: new PlainState(messages),
    transport: new sdk.DefaultChatTransport({
      api: `${baseUrl}/api/chat`,
      headers: { 'x-api-key': account.key },
      body: { chatId, sessionId },
      ...(fetch && { fetch }),
    }),
    ...init,
  })
}

type Part = { type: string; id?: string; input?: unknown; rawInput?: unknown }

/** Two things the SDK keeps and a stored message does not: the stream's id of a reasoning part, `rawInput` for a refused input. */
const comparablePart = ({ id, rawInput, ...part }: Part): object => ({
  ...part,
  ...(part.type !== 'reasoning' && id !== undefined && { id }),
  ...(rawInput !== undefined && { input: rawInput }),
})

const asks = ({ type }: { type: string }): boolean => type === 'tool-ask_user_question'

/** Whether an answer goes out automatically: tools of the server are complete too, also in a turn that was stopped. */
export const sendsAnswers =
  (sdk: Sdk): NonNullable<ChatInit<UIMessage>['sendAutomaticallyWhen']> =>
  (chat) => {
    const { metadata, parts = [] } = chat.messages.at(-1) ?? {}
    const isAsked = (metadata as { endReason?: string } | undefined)?.endReason === 'awaiting_user' && parts.some(asks)
    return isAsked && sdk.lastAssistantMessageIsCompleteWithToolCalls(chat)
  }

/** A message as it would be stored, in the form of either side. */
export const comparableMessage = (message: UIMessage | undefined): object => {
  const { id, role, parts, metadata } = JSON.parse(JSON.stringify(message ?? { parts: [] })) as UIMessage
  return { id, role, metadata, parts: parts.map((part) => comparablePart(part)) }
}
