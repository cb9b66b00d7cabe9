/** Bytes of a track at most: 300 seconds of 16-bit stereo at 44,100 Hz are 50.5 MiB. */
export const maxTrackBytes = 64 * 1024 * 1024

export type TrackFormat = { extension: 'mp3' | 'wav'; contentType: 'audio/mpeg' | 'audio/wav' }

/** Number of bytes that `sniffTrack` reads. */
export const sniffedBytes = 12

/** The format by the first bytes, whatever a provider calls it; undefined for anything but MP3 and WAV. */
export function sniffTrack(bytes: Uint8Array): TrackFormat | undefined {
  if (isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WAVE')) return { extension: 'wav', contentType: 'audio/wav' }
  return isText(bytes, 0, 'ID3') || isFrame(bytes) ? { extension: 'mp3', contentType: 'audio/mpeg' } : undefined
}

/** Key of a generation's track in the store. */
export function trackKey(generationId: string, { extension }: Pick<TrackFormat, 'extension'>): string {
  return `music/${generationId}.${extension}`
}

function isText(bytes: Uint8Array, at: number, text: string): boolean {
  return text.split('').every((letter, place) => bytes[at + place] === letter.charCodeAt(0))
}

/** Sync word of an MPEG audio frame of layer III. */
function isFrame([first = 0, second = 0]: Uint8Array): boolean {
  return first === 0xff && (second & 0xe6) === 0xe2
}
