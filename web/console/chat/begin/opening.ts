import type { Attachment } from '../attachments/attachment.ts'

type Opening = { text: string; files: readonly Attachment[] }

/** First messages of new chats that are not sent yet, by chat id. */
const openings = new Map<string, Opening>()

export function keepOpening(chatId: string, opening: Opening): void {
  openings.set(chatId, opening)
}

/** Returns the first message and forgets it, so that it is sent only once. */
export function takeOpening(chatId: string): Opening | undefined {
  const opening = openings.get(chatId)
  openings.delete(chatId)
  return opening
}
