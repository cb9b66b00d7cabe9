import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const decoders: Record<string, () => Transform> = {
  br: () => createBrotliDecompress(),
  deflate: () => createInflate(),
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
}

/** Reads at most `maxBytes` of the decoded body. The rest is neither received nor decompressed. */
export async function readBody(
  source: Readable,
  codings: string,
  maxBytes: number,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decodeBody(source, codings) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: size > maxBytes }
}

/** Returns the decompressed body, or the unchanged body if a coding is not supported. */
export function decodeBody(source: Readable, codings: string): Readable {
  const transforms = createDecoders(codings)
  if (transforms.length > 0) pipeline([source, ...transforms], () => {})
  return transforms.at(-1) ?? source
}

/** Returns the transforms that decode the codings; none if a coding is unknown or there are too many. */
function createDecoders(codings: string): Transform[] {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > 2 || !names.every((name) => Object.hasOwn(decoders, name))) return []
  return names.toReversed().flatMap((name) => decoders[name]?.() ?? [])
}
