import { explainUnreadableAttachment } from '../../../../domain/chat/attachments.ts'
import type { Attachment } from './attachment.ts'

const maxPictureBytes = 700_000
const maxPicturePixels = 1600
const pictureQuality = 0.85
const maxFileBytes = 2_200_000

/** Reads files as attachments. A large picture is made smaller. Throws an error for the user if models cannot read a file. */
export async function readFiles(files: readonly File[]): Promise<Attachment[]> {
  return Promise.all(files.map(readFile))
}

async function readFile(file: File): Promise<Attachment> {
  const content = isRasterPicture(file) && file.size > maxPictureBytes ? await shrink(file) : file
  if (content.size > maxFileBytes)
    throw new Error(`${file.name} is too large for a message. Upload it to the workspace and name its path.`)
  const mediaType = await determineType(content)
  const attachment: Attachment = {
    type: 'file',
    mediaType,
    filename: file.name,
    url: `data:${mediaType};base64,${await toBase64(content)}`,
  }
  const fault = explainUnreadableAttachment(attachment)
  if (fault !== undefined) throw new Error(`${file.name}: ${fault}`)
  return attachment
}

function isRasterPicture({ type }: Blob): boolean {
  return /^image\/(png|jpeg|webp)$/.test(type)
}

async function shrink(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, maxPicturePixels / Math.max(picture.width, picture.height))
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: pictureQuality })
}

/** Browsers name the type of few text files, so a type that models do not read is text if its content is. */
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
