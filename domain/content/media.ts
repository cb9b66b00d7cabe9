export type MediaFormat = { extension: string; contentType: string }

/** Maximum bytes of an image, a song and a video. */
export const maxImageBytes = 20 * 1024 * 1024
export const maxSongBytes = 64 * 1024 * 1024
export const maxClipBytes = 256 * 1024 * 1024

/** Detects PNG, JPEG or WebP by the first bytes; undefined for any other format. */
export function sniffImage(bytes: Uint8Array): MediaFormat | undefined {
  if (isText(bytes, 0, '\x89PNG\r\n\x1a\n')) return { extension: 'png', contentType: 'image/png' }
  if (isText(bytes, 0, '\xff\xd8\xff')) return { extension: 'jpg', contentType: 'image/jpeg' }
  return isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WEBP')
    ? { extension: 'webp', contentType: 'image/webp' }
    : undefined
}

/** Detects an audio format that renderers read by the first bytes; undefined for any other format. */
export function sniffSong(bytes: Uint8Array): MediaFormat | undefined {
  if (isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WAVE')) return { extension: 'wav', contentType: 'audio/wav' }
  if (isText(bytes, 4, 'ftyp')) return { extension: 'm4a', contentType: 'audio/mp4' }
  if (isText(bytes, 0, 'fLaC')) return { extension: 'flac', contentType: 'audio/flac' }
  if (isText(bytes, 0, 'OggS')) return { extension: 'ogg', contentType: 'audio/ogg' }
  const [first = 0, second = 0] = bytes
  if (first === 0xff && (second & 0xf6) === 0xf0) return { extension: 'aac', contentType: 'audio/aac' }
  return isText(bytes, 0, 'ID3') || (first === 0xff && (second & 0xe6) === 0xe2)
    ? { extension: 'mp3', contentType: 'audio/mpeg' }
    : undefined
}

/** Returns whether the first bytes are those of an MP4 file. */
export function isMp4(bytes: Uint8Array): boolean {
  return isText(bytes, 4, 'ftyp')
}

/** Number of bytes that the functions in this file read. */
export const sniffedBytes = 12

function isText(bytes: Uint8Array, start: number, text: string): boolean {
  return text.split('').every((letter, index) => bytes[start + index] === letter.charCodeAt(0))
}
