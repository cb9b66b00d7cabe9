import type { Readable } from 'node:stream'
import type { ModelPart, PartHandler } from './index.ts'

/** Wraps an error of a part handler, which is not a failure of the model call. */
export class PartHandlerError extends Error {
  override readonly name = 'PartHandlerError'
}

function failHandling(cause: unknown): never {
  throw new PartHandlerError('the part handler failed', { cause })
}

/** Passes parts to their handler, in order. Throws or rejects with `PartHandlerError` if the handler fails. */
export function deliverParts(parts: readonly ModelPart[], onPart: PartHandler, first = 0): Promise<void> | undefined {
  for (let index = first; index < parts.length; index++) {
    let handled: Promise<void> | undefined
    try {
      handled = onPart(parts[index] as ModelPart)
    } catch (error) {
      failHandling(error)
    }
    if (handled !== undefined) return handled.then(() => deliverParts(parts, onPart, index + 1), failHandling)
  }
  return undefined
}

/**
 * Reads a response body through its events, because a loop over the body would create several promises for each token. A
 * promise that `onChunk` returns pauses the body. Rejects with the error of the body or of `onChunk`, which also ends the body.
 */
export function readChunks(body: Readable, onChunk: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let handled: Promise<void> | undefined
    const fail = (error: unknown): void => {
      reject(error)
      body.destroy()
    }
    body.on('data', (chunk: Buffer) => {
      try {
        handled = onChunk(chunk)
      } catch (error) {
        return fail(error)
      }
      if (handled === undefined) return
      body.pause()
      handled.then(() => body.resume(), fail)
    })
    body.on('end', () => {
      if (handled === undefined) resolve()
      else handled.then(resolve, reject)
    })
    body.on('error', fail)
  })
}
