/** Maximum bytes of a track: 300 seconds of 16-bit stereo at 44,100 Hz have 50.5 MiB. */
export const maxTrackBytes = 64 * 1024 * 1024

export type TrackFormat = { extension: 'mp3' | 'wav'; contentType: 'audio/mpeg' | 'audio/wav' }

/** Number of bytes that `sniffTrack` reads. */
export const sniffedBytes = 12

/** Detects MP3 or WAV by the first bytes, not by the reported type; undefined for other formats. */
export function sniffTrack(bytes: Uint8Array): TrackFormat | undefined {
  if (isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WAVE')) return { extension: 'wav', contentType: 'audio/wav' }
  return isText(bytes, 0, 'ID3') || isFrame(bytes) ? { extension: 'mp3', contentType: 'audio/mpeg' } : undefined
}

/** Returns the key of a generation's track in the store. */
export function trackKey(generationId: string, { extension }: Pick<TrackFormat, 'extension'>): string {
  return `music/${generationId}.${extension}`
}

function isText(bytes: Uint8Array, start: number, text: string): boolean {
  return text.split('').every((letter, index) => bytes[start + index] === letter.charCodeAt(0))
}

/** True if the bytes start with the sync word of an MPEG audio frame of layer III. */
function isFrame([first = 0, second = 0]: Uint8Array): boolean {
  return first === 0xff && (second & 0xe6) === 0xe2
}
