import type { LanguageModelV3FilePart } from '@ai-sdk/provider'
import type { MessagePart } from '../message-part.ts'

const dataUrl = /^data:([^;,]*)((?:;[^;,]*)*),(.*)$/s

/** Converts a file of a message to the form that models accept: inline data or a link. Returns undefined for any other URL. */
export function filePart(part: MessagePart): LanguageModelV3FilePart | undefined {
  const { url, mediaType, filename } = part
  const content = typeof url === 'string' ? parseContent(url) : undefined
  if (content === undefined) return undefined
  const declaredType = typeof mediaType === 'string' && mediaType !== '' ? mediaType : content.mediaType
  return {
    type: 'file',
    data: content.data,
    mediaType: declaredType ?? 'application/octet-stream',
    ...(typeof filename === 'string' && { filename }),
  }
}

function parseContent(url: string): { data: string | URL; mediaType?: string } | undefined {
  const inline = dataUrl.exec(url)
  try {
    if (inline === null) return /^https?:/i.test(url) ? { data: new URL(url) } : undefined
    const [, mediaType, options, data = ''] = inline
    return {
      data: options?.toLowerCase().includes(';base64') === true ? data : toBase64(data),
      ...(mediaType !== '' && mediaType !== undefined && { mediaType }),
    }
  } catch {
    return undefined
  }
}

function toBase64(percentEncoded: string): string {
  const bytes = new TextEncoder().encode(decodeURIComponent(percentEncoded))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
