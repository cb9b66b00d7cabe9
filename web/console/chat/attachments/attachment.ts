import type { FileUIPart, UIMessage } from 'ai'

/** A file of a message, with its content in the URL. */
export type Attachment = FileUIPart

/** Characters of all attachments of one message. Each later turn of the chat sends them again. */
export const maxAttachmentCharacters = 3_000_000

/** Parts of a message of the user. */
export function toParts(text: string, files: readonly Attachment[]): UIMessage['parts'] {
  return [...files, { type: 'text', text }]
}

export function listFiles({ parts }: UIMessage): Attachment[] {
  return parts.filter((part) => part.type === 'file')
}

/** True for a picture that the page shows. Its content is in the URL, so that showing it makes no request. */
export function isPicture({ mediaType, url }: Pick<Attachment, 'mediaType' | 'url'>): boolean {
  return mediaType.startsWith('image/') && url.startsWith('data:')
}
