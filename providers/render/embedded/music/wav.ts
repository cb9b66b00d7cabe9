import type { Stereo } from './sound/mix.ts'
import { sampleRate } from './sound/sounds.ts'

const headerBytes = 44

/** Encodes a WAV file with 16-bit samples (RIFF, PCM). */
export function encodeWav({ left, right }: Stereo): Buffer {
  const file = Buffer.alloc(headerBytes + left.length * 4)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  for (const [index, value] of [16, (2 << 16) | 1, sampleRate, sampleRate * 4, (16 << 16) | 4].entries())
    file.writeUInt32LE(value, 16 + 4 * index)
  file.write('data', 36)
  file.writeUInt32LE(file.length - headerBytes, 40)
  left.forEach((sample, index) => {
    file.writeInt16LE(Math.round(sample * 32_767), headerBytes + index * 4)
    file.writeInt16LE(Math.round((right[index] ?? 0) * 32_767), headerBytes + index * 4 + 2)
  })
  return file
}
