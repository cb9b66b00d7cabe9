import type * as sdk6 from 'ai'
import type { AbstractChat, ChatInit, ChatState, ChatStatus, UIMessage } from 'ai'
import type { OpenChat } from '../chat/chat-api.ts'

/** The members of the SDK that the tests use. */
export type Sdk = Pick<
  typeof sdk6,
  | 'AbstractChat'
  | 'DefaultChatTransport'
  | 'lastAssistantMessageIsCompleteWithApprovalResponses'
  | 'lastAssistantMessageIsCompleteWithToolCalls'
>

/**
 * The state of `useChat` without a renderer. Every change creates a new list, and `replaceMessage` copies
 * the message.
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
  snapshot = <T>(value: T): T => structuredClone(value)
}

export type Chat = AbstractChat<UIMessage>

/** A chat and the key of its owner. */
type AuthorizedChat = Pick<OpenChat, 'chatId' | 'sessionId'> & { account: { key: string } }
type Options = Partial<ChatInit<UIMessage>> & { baseUrl: string; fetch?: typeof fetch }

/** Creates the client as `useChat` does, configured only with the location of the chat. */
export const openClient = (sdk: Sdk, { chatId, sessionId, account }: AuthorizedChat, options: Options): Chat => {
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

/** Omits the stream id of a reasoning part, which only the SDK stores, and renames `rawInput` to `input`. */
const comparablePart = ({ id, rawInput, ...part }: Part): object => ({
  ...part,
  ...(part.type !== 'reasoning' && id !== undefined && { id }),
  ...(rawInput !== undefined && { input: rawInput }),
})

const isQuestion = ({ type }: { type: string }): boolean => type === 'tool-ask_user_question'

/** Returns a rule that sends the answers to questions automatically, but not the results of server tools. */
export const createAnswerRule =
  (sdk: Sdk): NonNullable<ChatInit<UIMessage>['sendAutomaticallyWhen']> =>
  (chat) => {
    const { metadata, parts = [] } = chat.messages.at(-1) ?? {}
    const isAsked =
      (metadata as { endReason?: string } | undefined)?.endReason === 'awaiting_user' && parts.some(isQuestion)
    return isAsked && sdk.lastAssistantMessageIsCompleteWithToolCalls(chat)
  }

/** Reduces a stored message or an SDK message to the members that both have. */
export const comparableMessage = (message: UIMessage | undefined): object => {
  const { id, role, parts, metadata } = JSON.parse(JSON.stringify(message ?? { parts: [] })) as UIMessage
  return { id, role, metadata, parts: parts.map((part) => comparablePart(part)) }
}
