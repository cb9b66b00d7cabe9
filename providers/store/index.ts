import type { Readable } from 'node:stream'

/** Range of bytes. `last` is inclusive. */
export type ByteRange = { first: number; last: number }

export type StoredObject = {
  /** Size of the complete object in bytes. */
  size: number
  contentType: string
  /** Entity tag in the format of the header, with quotes. It changes with the content. */
  etag: string
  changedAt: Date
  /** Content of the object or of the requested range. The reader must destroy it. */
  content: Readable
}

export type PutOptions = {
  contentType: string
  /** If false, the put of an existing key fails with `declined` and does not change the object. */
  overwrite: boolean
  maxBytes?: number
  /** Account whose quota includes the object. Absent for objects without an account, such as objects of a provider. */
  accountId?: string | undefined
  signal?: AbortSignal | undefined
}

/**
 * Stores finished files under generated keys. Anyone with the URL of a file can read it. Writes are atomic. Throws
 * `ProviderError`: `invalid` (too large), `declined` (already exists), `unavailable`.
 */
export type StorePort = {
  /** Stores an object. Streams the content with at most a few megabytes in memory. */
  put(key: string, content: AsyncIterable<Uint8Array>, options: PutOptions): Promise<{ url: string; bytes: number }>
  /** Returns a URL with which anyone can read the object. The URL may expire. */
  publicUrl(key: string): Promise<string>
  /** Deletes an object. Succeeds if it does not exist. */
  delete(key: string): Promise<void>
  /** Returns the key in a URL of this store; undefined for other URLs. Sends no request. */
  parseKey(url: string): string | undefined
  /** Opens an object; undefined if it does not exist. A range must be within the object. */
  open(key: string, range?: ByteRange): Promise<StoredObject | undefined>
  /** Deletes incomplete uploads of killed processes that started before this time. Does nothing if the vendor deletes them. */
  sweep(before: Date): Promise<void>
}

const keyPattern = /^[a-z0-9-]{1,50}\/[\w-]{1,100}\.[a-z0-9]{1,8}$/

/** True for a key in the form `folder/name.extension`. */
export function isStoreKey(key: string): boolean {
  return keyPattern.test(key)
}

export function requireKey(key: string): string {
  if (!isStoreKey(key)) throw new TypeError('not a key of the store')
  return key
}

const inlineTypes = new Set(['audio', 'video', 'image'])

/** Returns `inline` for media that a browser can display safely. SVG may contain scripts. */
export function chooseDisposition(contentType: string): 'inline' | 'attachment' {
  return inlineTypes.has(contentType.split('/')[0] ?? '') && !contentType.startsWith('image/svg')
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

/** Returns the content type for the extension of a key, for stores without content types. */
export function guessContentType(key: string): string {
  return types[key.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
}
