import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BuiltInStore } from './built-in/upload.ts'

/** Bytes of one staged file at most. */
export const maxBlobBytes = 100 * 1024 * 1024

/**
 * Files on their way from a client into a repository: uploaded with the storage vendor's own client library, read once
 * by us and then deleted. The path of a blob says which account it was issued to.
 */
export type BlobPort = {
  /** The token under which upload tokens and callbacks are signed: `vercel_blob_rw_<store>_<secret>`. Stays with us. */
  readonly readWriteToken: string
  /** The path that an upload token is bound to; undefined when this client path cannot be bound to the account. */
  boundPath(accountId: string, pathname: string): string | undefined
  /** The account that a blob's address was issued to; undefined for anything but an address of this store. Makes no request. */
  findOwner(url: string): string | undefined
  /** The bytes; undefined when there is no such blob. Throws `BlobTooLarge`. Follows no redirect. */
  read(url: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<Uint8Array | undefined>
  /** Absent is success. */
  remove(url: string): Promise<void>
  /**
   * Deletes what was stored before this time, and what uploads left behind that were cut off or given up. Answers how
   * many.
   */
  sweep(before: Date): Promise<number>
  /** Where clients upload to when the store is ours; absent when they upload to a vendor, or to another process. */
  readonly builtIn?: BuiltInStore
}

/** Objects by name on a disk or in a bucket. A name consists of letters, digits, `-`, `_` and `/`, may have an ending, and is made by us. */
export type BlobObjects = {
  /** Takes over a finished file: an object is there whole or not at all. */
  put(name: string, file: { path: string; size: number }): Promise<void>
  open(name: string): Promise<{ size: number; content: Readable } | undefined>
  /** Absent is success. */
  remove(name: string): Promise<void>
  list(prefix: string): AsyncIterable<{ name: string; size: number; changedAt: Date }>
}

export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge'
}

const prefix = 'accounts/'

/** Every path of an account begins with this. */
export function accountPrefix(accountId: string): string {
  return `${prefix}${accountId}/`
}

/** The account in a blob's path. */
export function accountOfPath(pathname: string): string | undefined {
  return /^accounts\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/./.exec(pathname)?.[1]
}

const unsafe = /[\p{Cc}\\]|\/\/|^\/|\/$/u
const longestPath = 950

/** True for a path of plain segments: none is empty, `.` or `..`. */
export function isPlainPath(pathname: string): boolean {
  return (
    pathname !== '' &&
    pathname.length <= longestPath &&
    !unsafe.test(pathname) &&
    pathname.split('/').every((segment) => segment !== '.' && segment !== '..')
  )
}

/** Where the bytes of a blob are: no part of a client's path reaches a disk or a bucket. */
export function objectName(pathname: string): string {
  return `blobs/${createHash('sha256').update(pathname).digest('hex')}`
}
