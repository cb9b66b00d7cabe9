import type { Attachment } from './attachments/attachment.ts'
import { currentCredential } from '../access/credential.ts'

/** A message that the API did not accept, with the reason. Its files are not kept after a reload. */
export type UnsentMessage = { id: string; text: string; reason: string; files?: readonly Attachment[] }

type Draft = { text: string; unsent: UnsentMessage[] }

const prefix = 'backline-draft'
const empty: Draft = { text: '', unsent: [] }

/** Key of the form for a new chat. */
export const newChat = 'new'

/** Reads what the account typed in a chat and has not sent. It is stored in the browser until it is sent or discarded. */
export function readDraft(chat: string): Draft {
  const stored = localStorage.getItem(toKey(chat))
  return stored === null ? empty : { ...empty, ...(JSON.parse(stored) as Partial<Draft>) }
}

export function keepDraft(chat: string, change: Partial<Draft>): void {
  const { text, unsent } = { ...readDraft(chat), ...change }
  if (text === '' && unsent.length === 0) localStorage.removeItem(toKey(chat))
  else localStorage.setItem(toKey(chat), JSON.stringify({ text, unsent: unsent.map(withoutFiles) }))
}

/** Removes the drafts of every account. Called when the user signs out, because others may use this browser. */
export function removeDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}

function withoutFiles({ files: _files, ...message }: UnsentMessage): UnsentMessage {
  return message
}

function toKey(chat: string): string {
  return `${prefix}:${currentCredential()?.accountId ?? ''}:${chat}`
}
