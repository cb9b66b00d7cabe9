import type { Attachment } from './attachments/attachment.ts'
import { currentCredential } from '../access/credential.ts'

/** A message that could not be sent, with the reason. Its files are lost when the page is reloaded. */
export type UnsentMessage = { id: string; text: string; reason: string; files?: readonly Attachment[] }

type Draft = { text: string; unsent: UnsentMessage[] }

const prefix = 'backline-draft'
const empty: Draft = { text: '', unsent: [] }

/** Draft key of the form for a new chat. */
export const newChatKey = 'new'

/**
 * Reads the unsent input of the account in a chat, which the browser stores until the user sends or discards it.
 * `chatKey`: a chat id, or `newChatKey`.
 */
export function readDraft(chatKey: string): Draft {
  const json = localStorage.getItem(toStorageKey(chatKey))
  return json === null ? empty : { ...empty, ...(JSON.parse(json) as Partial<Draft>) }
}

export function saveDraft(chatKey: string, change: Partial<Draft>): void {
  const { text, unsent } = { ...readDraft(chatKey), ...change }
  if (text === '' && unsent.length === 0) localStorage.removeItem(toStorageKey(chatKey))
  else localStorage.setItem(toStorageKey(chatKey), JSON.stringify({ text, unsent: unsent.map(withoutFiles) }))
}

/** Removes the drafts of all accounts. Called at sign-out, because other people may use this browser. */
export function removeDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}

function withoutFiles({ files: _files, ...message }: UnsentMessage): UnsentMessage {
  return message
}

function toStorageKey(chatKey: string): string {
  return `${prefix}:${currentCredential()?.accountId ?? ''}:${chatKey}`
}
