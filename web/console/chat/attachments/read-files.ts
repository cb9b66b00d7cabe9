import { explainUnreadableAttachment } from '../../../../domain/chat/attachments.ts'
import type { Attachment } from './attachment.ts'

const maxImageBytes = 700_000
const maxImagePixels = 1600
const jpegQuality = 0.85
const maxFileBytes = 2_200_000

/** Reads files as attachments and downscales large images. Throws a user-facing error if models cannot read a file. */
export async function readFiles(files: readonly File[]): Promise<Attachment[]> {
  return Promise.all(files.map(readFile))
}

async function readFile(file: File): Promise<Attachment> {
  const content = isRasterImage(file) && file.size > maxImageBytes ? await downscale(file) : file
  if (content.size > maxFileBytes)
    throw new Error(`${file.name} is too large for a message. Upload it to the workspace and refer to it by its path.`)
  const mediaType = await determineType(content)
  const attachment: Attachment = {
    type: 'file',
    mediaType,
    filename: file.name,
    url: `data:${mediaType};base64,${await toBase64(content)}`,
  }
  const reason = explainUnreadableAttachment(attachment)
  if (reason !== undefined) throw new Error(`${file.name}: ${reason}`)
  return attachment
}

function isRasterImage({ type }: Blob): boolean {
  return /^image\/(png|jpeg|webp)$/.test(type)
}

async function downscale(file: File): Promise<Blob> {
  const image = await createImageBitmap(file)
  const scale = Math.min(1, maxImagePixels / Math.max(image.width, image.height))
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality })
}

/**
 * Returns the media type of a file. Browsers recognize few text formats, so a file of an unsupported type is treated as
 * text if it is valid UTF-8.
 */
async function determineType(content: Blob): Promise<string> {
  const type = content.type.split(';', 1)[0] ?? ''
  if (explainUnreadableAttachment({ type: 'file', url: `data:${type},`, mediaType: type }) === undefined) return type
  return (await isText(content)) ? 'text/plain' : type || 'application/octet-stream'
}

async function isText(content: Blob): Promise<boolean> {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(await content.arrayBuffer()).includes('\0')
  } catch {
    return false
  }
}

function toBase64(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : ''),
    )
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')))
    reader.readAsDataURL(content)
  })
}
