import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** A body that writes itself for as long as its response is open: nothing of its request is kept for it. */
export abstract class LiveBody {
  /** Owns the response from here on; its headers are out. */
  abstract start(response: ServerResponse): void
  /** There will be no response, or no more of it. */
  abstract destroy(): void
}

/** True for a body that comes over time. */
export function isOverTime(body: unknown): body is Readable | LiveBody {
  return body instanceof Readable || body instanceof LiveBody
}
