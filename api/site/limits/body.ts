import type { IncomingMessage } from 'node:http'

const receiveTimeoutMs = 10_000

/**
 * Reads the body. Returns undefined, without reading the rest, if the body exceeds `maxBytes`. Destroys the connection if the
 * body does not arrive in time.
 */
export async function receiveBody(
  request: IncomingMessage,
  maxBytes: number,
  timeoutMs = receiveTimeoutMs,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const timeout = setTimeout(() => request.destroy(), timeoutMs)
  try {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      bytes += (part as Buffer).length
      if (bytes > maxBytes) return undefined
      parts.push(part as Buffer)
    }
    return Buffer.concat(parts)
  } finally {
    clearTimeout(timeout)
  }
}

export function isJson({ 'content-type': type = '' }: IncomingMessage['headers']): boolean {
  return type.split(';')[0]?.trim().toLowerCase() === 'application/json'
}
