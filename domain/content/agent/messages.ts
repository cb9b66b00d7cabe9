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

/** Where the embedded team chat puts what the agent posts. Answers the id of the first message under the key. */
export type ChatMessages = {
  keep(message: Pick<EmbeddedMessage, 'threadId' | 'text' | 'file' | 'key'>): Promise<string>
}

/** The one workspace of the embedded team chat. */
export const embeddedWorkspace = 'local'
