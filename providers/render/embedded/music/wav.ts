import { sampleRate, type Stereo } from './sound/signal.ts'

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
  for (let index = 0; index < left.length; index++)
    for (const [side, sample] of [left[index], right[index]].entries())
      file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample ?? 0)) * 32_767), headerBytes + index * 4 + side * 2)
  return file
}
