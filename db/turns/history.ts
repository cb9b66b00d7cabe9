import type { StoredMessage } from '../../domain/chat/messages.ts'
import type { Db } from '../postgres/client.ts'
import { listMessages } from '../sessions/messages.ts'

const maxMessages = 2000
const pageMessages = 200
/** Maximum size of a history, equal to the limit of a request. */
const maxCharacters = 10 * 1024 * 1024

/** Returns the history of a turn whose client sent none: the latest messages of its branch up to `through`, oldest first. */
export async function readHistory(db: Db, chatId: string, through?: number): Promise<StoredMessage[]> {
  let history: StoredMessage[] = []
  let characters = 0
  for (let before: string | undefined; history.length < maxMessages && characters < maxCharacters;) {
    const page = await listMessages(db, chatId, { limit: pageMessages, before, through })
    if (page === undefined) break
    history = [...page.messages, ...history]
    characters += JSON.stringify(page.messages).length
    if (page.nextBefore === null) break
    before = page.nextBefore
  }
  return history.slice(-maxMessages)
}
