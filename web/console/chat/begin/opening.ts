/** First messages that were typed before their chat existed, by chat id. */
const openings = new Map<string, string>()

export function keepOpening(chatId: string, text: string): void {
  openings.set(chatId, text)
}

/** Once: a chat is opened with it and never again. */
export function takeOpening(chatId: string): string | undefined {
  const text = openings.get(chatId)
  openings.delete(chatId)
  return text
}
