import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'

const noBytes: Buffer = Buffer.alloc(0)

export function tooLarge(): ApiError {
  return new ApiError('payload_too_large', 'Request body too large')
}

export function incompleteBody(cause?: unknown): ApiError {
  return new ApiError('invalid_request', 'Request body is incomplete', { missingFields: [], cause })
}

/**
 * Reads a body into memory. Calls `reserve` before it stores a chunk; `reserve` throws if the chunk exceeds the memory limit.
 */
export function receiveBody(
  request: IncomingMessage,
  limit: number,
  reserve: (bytes: number) => void,
): Promise<Buffer> {
  if (!request.readable) return Promise.reject(incompleteBody())
  return new Promise((resolve, reject) => {
    const body = createCollector(limit)
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('error', fail).off('close', onClose)
    }
    const fail = (error: unknown): void => {
      stop()
      // Discards the rest of the body, which nothing else reads.
      request.on('error', () => {}).resume()
      reject(error instanceof ApiError ? error : incompleteBody(error))
    }
    const onClose = (): void => fail(incompleteBody())
    const onEnd = (): void => {
      stop()
      resolve(body.bytes())
    }
    const onData = (chunk: Buffer): void => {
      try {
        if (body.size() + chunk.length > limit) throw tooLarge()
        reserve(chunk.length)
        body.add(chunk)
      } catch (error) {
        fail(error)
      }
    }
    request.on('data', onData).once('end', onEnd).once('error', fail).once('close', onClose)
  })
}

/** Collects bytes in one buffer, so that a body of many small chunks does not cost a multiple of its size. */
function createCollector(limit: number) {
  let buffer: Buffer = noBytes
  let length = 0
  return {
    add: (chunk: Buffer): void => {
      const needed = length + chunk.length
      if (length === 0) buffer = chunk
      else {
        if (needed > buffer.length) {
          const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(limit, buffer.length * 2)))
          buffer.copy(larger, 0, 0, length)
          buffer = larger
        }
        chunk.copy(buffer, length)
      }
      length = needed
    },
    size: () => length,
    bytes: () => buffer.subarray(0, length),
  }
}
