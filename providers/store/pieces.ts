import { ProviderError } from '../provider-error.ts'

/** The bytes in pieces of this size, the last one what is left: it alone may be smaller, and empty when there are none. */
export const inPieces = async function* (content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let length = 0
  for await (const chunk of content) {
    held.push(chunk)
    length += chunk.length
    while (length > size) {
      const all = Buffer.concat(held)
      yield all.subarray(0, size)
      held = [all.subarray(size)]
      length -= size
    }
  }
  yield Buffer.concat(held)
}

/** Counts the bytes of a stream, and ends it above `maxBytes` or when the signal aborts. */
export function countBytes(content: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal) {
  const counted = { bytes: 0 }
  const passed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      signal?.throwIfAborted()
      counted.bytes += chunk.length
      if (counted.bytes > maxBytes) throw new ProviderError('invalid', `store: more than ${maxBytes} bytes`)
      yield chunk
    }
  }
  return { counted, content: passed() }
}
