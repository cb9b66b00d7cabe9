import type { Writable } from 'node:stream'

/** Unit of the protocol: a call or its result, content of a file or stream, or a pulse that shows that the machine responds. */
export type Frame = { kind: 'json'; value: unknown } | { kind: 'bytes'; bytes: Buffer } | { kind: 'pulse' }

const kinds = ['json', 'bytes', 'pulse'] as const
const headBytes = 5
const maxFrameBytes = 256 * 1024 * 1024
/** Maximum bytes of content in one frame. */
const maxContentBytes = 256 * 1024

export function encodeJson(value: unknown): Buffer {
  return encode('json', Buffer.from(JSON.stringify(value)))
}

export const pulseFrame: Buffer = encode('pulse', Buffer.alloc(0))

/** Encodes content as frames of limited size. */
export function* encodeBytes(content: Uint8Array): Generator<Buffer> {
  for (let index = 0; index < content.length; index += maxContentBytes)
    yield encode('bytes', Buffer.from(content.subarray(index, index + maxContentBytes)))
}

/** Writes content with backpressure. Returns false if the connection is closed. */
export async function writeBytes(sink: Writable, content: Uint8Array): Promise<boolean> {
  for (const frame of encodeBytes(content)) {
    if (sink.destroyed) return false
    if (!sink.write(frame)) await waitUntilWritable(sink)
  }
  return !sink.destroyed
}

/** Reads frames. Throws if the stream ends within a frame. */
export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    rest.push(chunk)
    size += chunk.length
    if (size < headBytes) continue
    let data: Buffer = Buffer.concat(rest)
    for (let end = findFrameEnd(data); end !== undefined && end <= data.length; end = findFrameEnd(data)) {
      yield decode(data.subarray(0, end))
      data = data.subarray(end)
    }
    rest = data.length === 0 ? [] : [data]
    size = data.length
  }
  if (size > 0) throw new Error('the stream ended within a frame')
}

function encode(kind: Frame['kind'], payload: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(payload.length)
  head.writeUInt8(kinds.indexOf(kind), 4)
  return Buffer.concat([head, payload])
}

function findFrameEnd(data: Buffer): number | undefined {
  if (data.length < headBytes) return undefined
  const length = data.readUInt32BE()
  if (length > maxFrameBytes) throw new Error('a frame is too large')
  return headBytes + length
}

function decode(frame: Buffer): Frame {
  const payload = frame.subarray(headBytes)
  switch (kinds[frame.readUInt8(4)]) {
    case 'json':
      return { kind: 'json', value: JSON.parse(payload.toString()) as unknown }
    case 'bytes':
      return { kind: 'bytes', bytes: payload }
    case 'pulse':
      return { kind: 'pulse' }
    default:
      throw new Error('a frame has an unknown kind')
  }
}

function waitUntilWritable(sink: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      sink.off('drain', settle).off('close', settle)
      resolve()
    }
    sink.on('drain', settle).on('close', settle)
  })
}
