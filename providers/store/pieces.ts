import { ProviderError } from '../errors/provider-error.ts'

/** Splits content into pieces of `size` bytes. The last piece may be smaller, and is empty if there is no content. */
export const splitPieces = async function* (content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = []
  let length = 0
  for await (const chunk of content) {
    pending.push(chunk)
    length += chunk.length
    while (length > size) {
      const all = Buffer.concat(pending)
      yield all.subarray(0, size)
      pending = [all.subarray(size)]
      length -= size
    }
  }
  yield Buffer.concat(pending)
}

/** Counts the bytes of a stream. The returned content throws above `maxBytes` or when the signal aborts. */
export function countBytes(content: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal) {
  const count = { bytes: 0 }
  const readCounted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      signal?.throwIfAborted()
      count.bytes += chunk.length
      if (count.bytes > maxBytes) throw new ProviderError('invalid', `store: more than ${maxBytes} bytes`)
      yield chunk
    }
  }
  return { count, content: readCounted() }
}
