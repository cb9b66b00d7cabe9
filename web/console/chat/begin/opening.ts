/** First messages of new chats that are not sent yet, by chat id. */
const openings = new Map<string, string>()

export function keepOpening(chatId: string, text: string): void {
  openings.set(chatId, text)
}

/** Returns the first message and forgets it, so that it is sent only once. */
export function takeOpening(chatId: string): string | undefined {
  const text = openings.get(chatId)
  openings.delete(chatId)
  return text
}
