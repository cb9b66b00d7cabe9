import { EgressError } from '../../providers/egress/index.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { FileFetcher } from '../../providers/egress/files.ts'
import type { StorePort } from '../../providers/store/index.ts'

/** Streams the file at a URL to `consume`. If the URL is in the store of this deployment, reads the object directly. */
export async function readExternalFile<T>(
  { store, files }: { store: StorePort; files: FileFetcher },
  url: string,
  signal: AbortSignal,
  consume: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const key = store.parseKey(url)
  if (key === undefined) return files.read(url, consume, signal)
  const object = await store.open(key)
  if (object === undefined) throw new ProviderError('not_found', 'store: the file does not exist')
  try {
    return await consume(object.content as AsyncIterable<Uint8Array>)
  } finally {
    object.content.destroy()
  }
}

const permanentReasons: readonly unknown[] = ['url', 'secure', 'address'] satisfies EgressError['reason'][]

/** True for a failed read that a retry cannot resolve. */
export function isPermanentFileError(error: unknown): boolean {
  if (error instanceof EgressError) return permanentReasons.includes(error.reason)
  return error instanceof ProviderError && !error.isRetryable
}

/** Returns `head`, the first `bytes` bytes of a file (fewer if the file is shorter), and `whole`, the complete stream. */
export async function peekBytes(content: AsyncIterable<Uint8Array>, bytes: number) {
  const chunks = content[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array()
  while (head.length < bytes) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield head
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { head, whole: whole() }
}
