import type { Attachment } from '../attachments/attachment.ts'

type FirstMessage = { text: string; files: readonly Attachment[] }

/** Unsent first messages of new chats, by chat id. */
const firstMessages = new Map<string, FirstMessage>()

export function storeFirstMessage(chatId: string, message: FirstMessage): void {
  firstMessages.set(chatId, message)
}

/** Returns the first message and removes it, so that it is sent only once. */
export function consumeFirstMessage(chatId: string): FirstMessage | undefined {
  const message = firstMessages.get(chatId)
  firstMessages.delete(chatId)
  return message
}
