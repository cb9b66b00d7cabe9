import { sampleRate, type Stereo } from './sound/signal.ts'

const headerBytes = 44
const bytesPerFrame = 4

/** Encodes a WAV file with 16-bit samples (RIFF, PCM). */
export function encodeWav({ left, right }: Stereo): Buffer {
  const dataBytes = left.length * bytesPerFrame
  const file = Buffer.alloc(headerBytes + dataBytes)
  file.write('RIFF', 0)
  file.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(2, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * bytesPerFrame, 28)
  file.writeUInt16LE(bytesPerFrame, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(dataBytes, 40)
  for (let index = 0; index < left.length; index++) {
    file.writeInt16LE(toInteger(left[index]), headerBytes + index * bytesPerFrame)
    file.writeInt16LE(toInteger(right[index]), headerBytes + index * bytesPerFrame + 2)
  }
  return file
}

function toInteger(sample = 0): number {
  return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)
}
