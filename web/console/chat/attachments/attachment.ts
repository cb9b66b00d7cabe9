import type { FileUIPart, UIMessage } from 'ai'

/** A file of a message, usually with its content in a data URL. */
export type Attachment = FileUIPart

/** Maximum total characters of a message's attachments. Limited because each later turn of the chat sends them again. */
export const maxAttachmentCharacters = 3_000_000

/** Creates the parts of a user message. */
export function toParts(text: string, files: readonly Attachment[]): UIMessage['parts'] {
  return [...files, { type: 'text', text }]
}

export function listFiles({ parts }: UIMessage): Attachment[] {
  return parts.filter((part) => part.type === 'file')
}

/** True for an image in a data URL, which the page can display without a request. */
export function isInlineImage({ mediaType, url }: Pick<Attachment, 'mediaType' | 'url'>): boolean {
  return mediaType.startsWith('image/') && url.startsWith('data:')
}
