import type { Readable } from 'node:stream'

/** Bytes from the first to the last one that is meant. */
export type ByteRange = { first: number; last: number }

export type StoredObject = {
  /** Of the whole object. */
  size: number
  contentType: string
  /** Quoted, as a header has it; another one for other bytes. */
  etag: string
  changedAt: Date
  /** Content of the object or of the requested range. The reader must destroy it. */
  content: Readable
}

export type PutOptions = {
  contentType: string
  /** False: an object that is there stays, and the put fails with `declined`. */
  overwrite: boolean
  maxBytes?: number
  /** Account whose quota includes the object. Absent for objects without an account, such as those of a provider. */
  accountId?: string | undefined
  signal?: AbortSignal | undefined
}

/**
 * Finished files under generated keys, readable by anyone with their URL. Writes are atomic. Throws
 * `ProviderError`: invalid (too large), declined (exists already), unavailable.
 */
export type StorePort = {
  /** Takes the bytes as they come and holds no more than some megabytes of them. */
  put(key: string, content: AsyncIterable<Uint8Array>, options: PutOptions): Promise<{ url: string; bytes: number }>
  /** An address that anyone can open; it may be one that expires. */
  publicUrl(key: string): Promise<string>
  /** An absent key counts as deleted. */
  delete(key: string): Promise<void>
  /** The key in a URL of this store, which need not be fetched; undefined for any other URL. */
  parseKey(url: string): string | undefined
  /** Opens an object; undefined if it does not exist. A range must be within the object. */
  open(key: string, range?: ByteRange): Promise<StoredObject | undefined>
  /** Deletes what puts left behind that a killed process began before this time; a vendor does that on its own. */
  sweep(before: Date): Promise<void>
}

const keyPattern = /^[a-z0-9-]{1,50}\/[\w-]{1,100}\.[a-z0-9]{1,8}$/

/** True for `folder/name.ending`. */
export function isStoreKey(key: string): boolean {
  return keyPattern.test(key)
}

export function requireKey(key: string): string {
  if (!isStoreKey(key)) throw new TypeError('not a key of the store')
  return key
}

const shownTypes = new Set(['audio', 'video', 'image'])

/** Whether a browser may show it: SVG can carry scripts. */
export function chooseDisposition(contentType: string): 'inline' | 'attachment' {
  return shownTypes.has(contentType.split('/')[0] ?? '') && !contentType.startsWith('image/svg')
    ? 'inline'
    : 'attachment'
}

const types: Record<string, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
}

/** Of a store that keeps no types: what the ending of a key means. */
export function guessContentType(key: string): string {
  return types[key.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
}
