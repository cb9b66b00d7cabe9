import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BuiltInStore } from './built-in/protocol.ts'

/** Maximum bytes of one staged file. */
export const maxBlobBytes = 100 * 1024 * 1024

/**
 * Store of staged files, which clients upload with the client library of the storage vendor and which are committed to a
 * repository and then deleted. The path of a blob contains the account that it was issued to.
 */
export type BlobPort = {
  /** Token that signs upload tokens and callbacks: `vercel_blob_rw_<store>_<secret>`. Never sent to a client. */
  readonly readWriteToken: string
  /** Returns the path for an upload token; undefined when the path of the client cannot be bound to the account. */
  boundPath(accountId: string, pathname: string): string | undefined
  /** Returns the account that a blob's address was issued to; undefined for other addresses. Sends no request. */
  findOwner(url: string): string | undefined
  /** Reads a blob; undefined when it does not exist. Throws `BlobTooLargeError`. Does not follow redirects. */
  read(url: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<Uint8Array | undefined>
  /** A missing object counts as deleted. */
  remove(url: string): Promise<void>
  /**
   * Deletes blobs that were stored before this time, and the remains of interrupted uploads. Returns the number of deleted
   * objects.
   */
  sweep(before: Date): Promise<number>
  /** Receiver of uploads to the embedded store. Absent if clients upload to a vendor or to another process. */
  readonly builtIn?: BuiltInStore
}

/** Objects on a disk or in a bucket. The server chooses their names: letters, digits, `-`, `_`, `/` and optionally an extension. */
export type BlobObjects = {
  /** Moves a finished file into the store. An object is complete or does not exist. */
  put(name: string, file: { path: string; size: number }): Promise<void>
  open(name: string): Promise<{ size: number; content: Readable } | undefined>
  /** A missing object counts as deleted. */
  remove(name: string): Promise<void>
  list(prefix: string): AsyncIterable<{ name: string; size: number; changedAt: Date }>
}

export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError'
}

const prefix = 'accounts/'

/** Prefix of every path of an account. */
export function accountPrefix(accountId: string): string {
  return `${prefix}${accountId}/`
}

/** Returns the account in the path of a blob. */
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

/** Returns the object name of a blob. No part of the client's path is used as a name on a disk or in a bucket. */
export function objectName(pathname: string): string {
  return `blobs/${createHash('sha256').update(pathname).digest('hex')}`
}
