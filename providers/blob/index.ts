import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BuiltInStore } from './built-in/protocol.ts'

/** Maximum bytes of one staged file. */
export const maxBlobBytes = 100 * 1024 * 1024

/**
 * Store of staged files, which clients upload with the client library of the storage vendor and which are committed to a
 * repository and then deleted. The path of a blob contains the id of its account.
 */
export type BlobPort = {
  /** Token that signs upload tokens and callbacks: `vercel_blob_rw_<store>_<secret>`. Never sent to a client. */
  readonly readWriteToken: string
  /** Returns the account's path for an upload token; undefined if the client's path cannot belong to the account. */
  bindPath(accountId: string, pathname: string): string | undefined
  /** Returns the account that owns the blob at this URL; undefined for other URLs. Sends no request. */
  findOwner(url: string): string | undefined
  /** Reads a blob; undefined when it does not exist. Throws `BlobTooLargeError`. Does not follow redirects. */
  read(url: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<Uint8Array | undefined>
  /** Deletes a blob. Succeeds if it does not exist. */
  remove(url: string): Promise<void>
  /**
   * Deletes blobs that were stored before this time, and the remains of interrupted uploads. Returns the number of deleted
   * objects.
   */
  sweep(before: Date): Promise<number>
  /** Receiver of uploads to the embedded store. Absent if clients upload to a vendor or to another process. */
  readonly builtIn?: BuiltInStore
}

/**
 * Objects on a disk or in a bucket. The server chooses their names, which consist of letters, digits, `-`, `_` and `/`, with an
 * optional extension.
 */
export type BlobObjects = {
  /** Moves a finished file into the store. An object is complete or does not exist. */
  put(name: string, file: { path: string; size: number }): Promise<void>
  open(name: string): Promise<{ size: number; content: Readable } | undefined>
  /** Deletes an object. Succeeds if it does not exist. */
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

/** Returns the account id in the path of a blob; undefined for other paths. */
export function parsePathAccount(pathname: string): string | undefined {
  return /^accounts\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/./.exec(pathname)?.[1]
}

const unsafe = /[\p{Cc}\\]|\/\/|^\/|\/$/u
const maxPathLength = 950

/** True for a relative path in which no segment is empty, `.` or `..`. */
export function isPlainPath(pathname: string): boolean {
  return (
    pathname !== '' &&
    pathname.length <= maxPathLength &&
    !unsafe.test(pathname) &&
    pathname.split('/').every((segment) => segment !== '.' && segment !== '..')
  )
}

/** Returns the object name of a blob: a hash, so that no part of the client's path is used on a disk or in a bucket. */
export function objectName(pathname: string): string {
  return `blobs/${createHash('sha256').update(pathname).digest('hex')}`
}
