import type { IncomingMessage } from 'node:http'

const receiveMs = 10_000

/**
 * Reads the bytes of a body; undefined for one over the limit, which is not read further. A slow body ends its
 * connection.
 */
export async function receiveBody(
  request: IncomingMessage,
  maxBytes: number,
  deadlineMs = receiveMs,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const late = setTimeout(() => request.destroy(), deadlineMs)
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
    clearTimeout(late)
  }
}

export function isJson({ 'content-type': type = '' }: IncomingMessage['headers']): boolean {
  return type.split(';')[0]?.trim().toLowerCase() === 'application/json'
}
