import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** A body that writes to its response until the response closes. It has no reference to the request. */
export abstract class LiveBody {
  /** Takes over the response, whose headers have been sent. */
  abstract start(response: ServerResponse): void
  /** Releases resources. Called when the response has closed, or if it was never sent. */
  abstract destroy(): void
}

/** True for a streamed body. */
export function isStreamedBody(body: unknown): body is Readable | LiveBody {
  return body instanceof Readable || body instanceof LiveBody
}
