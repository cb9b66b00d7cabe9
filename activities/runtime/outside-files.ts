import { EgressError } from '../../providers/egress/index.ts'
import { ProviderError } from '../../providers/fault.ts'
import type { ActivityDeps } from '../deps.ts'

/** Streams the file at an external address. A file of our own store is read from there. */
export async function readOutside<T>(
  { store, files }: Pick<ActivityDeps, 'store' | 'files'>,
  url: string,
  signal: AbortSignal,
  take: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const key = store.parseKey(url)
  if (key === undefined) return files.read(url, take, signal)
  const found = await store.open(key)
  if (found === undefined) throw new ProviderError('not_found', 'store: the file is gone')
  try {
    return await take(found.content as AsyncIterable<Uint8Array>)
  } finally {
    found.content.destroy()
  }
}

const neverMended: readonly unknown[] = ['url', 'secure', 'address'] satisfies EgressError['fault'][]

/** True for an error that a retry cannot resolve. */
export function isFileLost(error: unknown): boolean {
  if (error instanceof EgressError) return neverMended.includes(error.fault)
  return error instanceof ProviderError && !error.isRetryable
}

/** Returns the first `bytes` of a file, or all if there are fewer, and the complete stream. */
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
