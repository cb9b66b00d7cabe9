/** A message of the embedded team chat. */
export type EmbeddedMessage = {
  id: string
  threadId: string
  author: 'agent' | 'person'
  text: string
  file?: { url: string; name: string } | null
  key?: string | null
  createdAt: Date
}

/** Stores the agent's posts in the embedded team chat. `keep` returns the id of the first message with the key. */
export type ChatMessages = {
  keep(message: Pick<EmbeddedMessage, 'threadId' | 'text' | 'file' | 'key'>): Promise<string>
}

/** The only workspace of the embedded team chat. */
export const embeddedWorkspace = 'local'
