import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider'
import { storableText } from '../fields/storable.ts'
import type { MessagePart } from './message-part.ts'

/** Kinds of attachments that models may read. Text files are sent as text, which every model reads. */
type AttachmentKind = 'image' | 'audio' | 'pdf' | 'text'

/** Inputs besides text that a model accepts. If an input is undefined, its support is unknown, and it is sent. */
export type ModelInputs = Partial<Record<Exclude<AttachmentKind, 'text'>, boolean>>

const kinds: readonly [RegExp, AttachmentKind][] = [
  [/^image\/(?:png|jpe?g|webp|gif|\*)$/, 'image'],
  [/^audio\/(?:wav|x-wav|wave|mpeg|mp3)$/, 'audio'],
  [/^application\/pdf$/, 'pdf'],
  [/^text\//, 'text'],
  [/^application\/(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-ndjson|ndjson|x-sh)$/, 'text'],
  [/[+](?:json|xml|yaml)$/, 'text'],
]

/** Returns the kind of an attachment; undefined for types that no model reads, such as archives, spreadsheets and videos. */
function attachmentKind(mediaType: string): AttachmentKind | undefined {
  const baseType = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return kinds.find(([pattern]) => pattern.test(baseType))?.[1]
}

const supported = 'PNG, JPEG, WebP and GIF images, WAV and MP3 audio, PDF and text'

/** Returns why no model can read a part of a message; undefined when some model may. */
export function explainUnreadableAttachment(part: MessagePart): string | undefined {
  if (part.type !== 'file') return undefined
  const { url, mediaType } = part
  if (typeof url !== 'string' || !/^(?:data:|https?:)/i.test(url)) return 'url must be a data: or an http(s) URL'
  // The model receives a URL of any file type as a link.
  if (!/^data:/i.test(url)) return undefined
  const inline = /^data:([^;,]*)/i.exec(url)?.[1]
  const type = typeof mediaType === 'string' && mediaType !== '' ? mediaType : inline || 'a file without a media type'
  return attachmentKind(type) === undefined
    ? `Models cannot read ${type}, only ${supported}. Add the file to the workspace repository and mention its path.`
    : undefined
}

const plurals = { image: 'images', audio: 'audio', pdf: 'PDF' } as const

type PromptPart = LanguageModelV3FilePart | LanguageModelV3TextPart

/** Converts an attachment to a form that models accept. An attachment that this model cannot read becomes a note. */
export function toValidAttachment(part: LanguageModelV3FilePart, inputs: ModelInputs): PromptPart {
  const kind = attachmentKind(part.mediaType)
  if (part.data instanceof URL)
    return kind !== 'image'
      ? textPart(`[${part.filename ?? 'file'}](${part.data.href})`)
      : inputs.image === false
        ? unreadableNote(part, 'the model does not accept images')
        : part
  if (kind === undefined) return unreadableNote(part, 'models do not read files of this type')
  const data = typeof part.data === 'string' ? part.data.replace(/\s/g, '') : part.data
  if (typeof data === 'string' && !isBase64(data)) return unreadableNote(part, 'its content is damaged')
  if (kind === 'text') return textPart(`${part.filename ?? 'file'}:\n${decodeText(data)}`)
  if (inputs[kind] === false) return unreadableNote(part, `the model does not accept ${plurals[kind]}`)
  if (kind === 'image') return { ...part, data, mediaType: detectImageType(data) ?? normalizeImageType(part.mediaType) }
  return { ...part, data, mediaType: kind === 'pdf' ? 'application/pdf' : part.mediaType.toLowerCase() }
}

/** Returns the note that replaces an attachment that the model cannot read. */
export function unreadableNote(
  { filename, mediaType }: Pick<LanguageModelV3FilePart, 'filename' | 'mediaType'>,
  why: string,
) {
  const attachment = filename === undefined ? 'An attachment' : `The attachment "${filename}"`
  return textPart(`[${attachment} of type ${mediaType} is not shown: ${why}.]`)
}

function textPart(text: string): LanguageModelV3TextPart {
  return { type: 'text', text: storableText(text) }
}

function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}

function decodeText(data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? Uint8Array.from(atob(data), (character) => character.charCodeAt(0)) : data
  return new TextDecoder().decode(bytes)
}

const signatures: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** Detects the type by the first bytes, because vendors reject an image with a wrong media type. */
function detectImageType(data: string | Uint8Array): string | undefined {
  return typeof data === 'string' ? signatures.find(([start]) => data.startsWith(start))?.[1] : undefined
}

function normalizeImageType(mediaType: string): string {
  const baseType = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return baseType === 'image/*' || baseType === 'image/jpg' ? 'image/jpeg' : baseType
}
