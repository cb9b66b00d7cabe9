import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import { createBuiltInStore } from './store.ts'
import { signCallback } from './client-token.ts'
import {
  parsePathAccount,
  accountPrefix,
  BlobTooLargeError,
  isPlainPath,
  objectName,
  type BlobObjects,
  type BlobPort,
} from '../index.ts'
import type { ReservationOptions } from './reservations.ts'
import { createSpool } from './spool.ts'
import type { BlobResponse, Upload } from './protocol.ts'

export type EmbeddedBlobOptions = {
  objects: BlobObjects
  /** Folder for incomplete uploads. */
  spoolFolder: string
  /** URL for uploads, and prefix of the URLs of blobs. */
  storeUrl: string
  readWriteToken: string
  /** Set only in a process that receives uploads. */
  receiving?: Omit<ReservationOptions, 'log'> | undefined
  log: { warn(details: object, message: string): void }
}

const callbackTimeoutMs = 10_000
/** Minimum age of unfinished uploads that are deleted. Must exceed the lifetime of a token plus the time of one request. */
const maxUnfinishedAgeMs = 2 * 60 * 60 * 1000

/** Creates the embedded store, which implements the protocol of the vendor. */
export function createEmbeddedBlobs(options: EmbeddedBlobOptions): BlobPort {
  const { objects, readWriteToken, log } = options
  const storeUrl = withoutTrailingSlashes(options.storeUrl)
  const spool = createSpool(options.spoolFolder)

  const buildUrl = (pathname: string): string => `${storeUrl}/${pathname.split('/').map(encodeURIComponent).join('/')}`

  /** Returns the path in a URL that `buildUrl` created. */
  const parsePath = (url: string): string | undefined => {
    if (!url.startsWith(`${storeUrl}/`)) return undefined
    try {
      const pathname = url
        .slice(storeUrl.length + 1)
        .split('/')
        .map(decodeURIComponent)
        .join('/')
      return isPlainPath(pathname) && buildUrl(pathname) === url ? pathname : undefined
    } catch {
      return undefined
    }
  }

  const findOwner = (url: string): string | undefined => {
    const pathname = parsePath(url)
    return pathname === undefined ? undefined : parsePathAccount(pathname)
  }

  /** Calls the callback of the signed token without waiting for it. */
  const sendCallback = ({ token }: Upload, blob: BlobResponse): void => {
    const callback = token.onUploadCompleted
    if (callback === undefined) return
    const payload = { blob, tokenPayload: callback.tokenPayload ?? null }
    const body = JSON.stringify({ type: 'blob.upload-completed', payload })
    fetch(callback.callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vercel-signature': signCallback(body, readWriteToken) },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(callbackTimeoutMs),
    })
      .then((response) => response.body?.cancel())
      .catch((error: unknown) => log.warn({ err: error }, 'the callback of a finished upload failed'))
  }

  const sweepFolder = async (folder: string, before: Date): Promise<number> => {
    let removed = 0
    for await (const { name, changedAt } of objects.list(folder)) {
      if (changedAt >= before) continue
      await objects.remove(name)
      removed++
    }
    return removed
  }

  return {
    readWriteToken,
    ...(options.receiving !== undefined && {
      builtIn: createBuiltInStore({
        objects,
        spool,
        readWriteToken,
        buildUrl,
        onCompleted: sendCallback,
        log,
        ...options.receiving,
      }),
    }),
    bindPath: (accountId, pathname) => {
      const prefix = accountPrefix(accountId)
      const path = pathname.startsWith(prefix) ? pathname : prefix + pathname
      return isPlainPath(path) ? path : undefined
    },
    findOwner,
    read: async (url, { maxBytes, signal }) => {
      const pathname = parsePath(url)
      const object = pathname === undefined ? undefined : await objects.open(objectName(pathname))
      if (object === undefined) return undefined
      try {
        if (object.size > maxBytes) throw new BlobTooLargeError(`more than ${maxBytes} bytes`)
        return await readAll(object.content, maxBytes, signal)
      } finally {
        object.content.destroy()
      }
    },
    remove: async (url) => {
      const pathname = parsePath(url)
      if (pathname !== undefined) await objects.remove(objectName(pathname))
    },
    sweep: async (before) => {
      const unfinishedBefore = new Date(Math.max(before.getTime(), Date.now() - maxUnfinishedAgeMs))
      await spool.sweep(unfinishedBefore)
      return (await sweepFolder('blobs', before)) + (await sweepFolder('uploads', unfinishedBefore))
    },
  }
}

async function readAll(content: AsyncIterable<Buffer>, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    signal?.throwIfAborted()
    size += chunk.length
    if (size > maxBytes) throw new BlobTooLargeError(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
