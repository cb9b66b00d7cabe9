import { del, list } from '@vercel/blob'
import { request, type Dispatcher } from 'undici'
import { parsePathAccount, accountPrefix, BlobTooLargeError, isPlainPath, type BlobPort } from './index.ts'
import { parseUrl } from '../../domain/fields/url.ts'

export type VercelBlobOptions = {
  readWriteToken: string
  /** Dispatcher for requests to the store. Defaults to the global dispatcher. */
  dispatcher?: Dispatcher
}

const callTimeoutMs = 60_000
const pageSize = 1000

/** Creates the port for Vercel Blob. Clients upload to the vendor directly, with tokens signed by `readWriteToken`. */
export function createVercelBlobs({ readWriteToken: token, dispatcher }: VercelBlobOptions): BlobPort {
  const storeId = (token.split('_')[3] ?? '').toLowerCase()
  const hosts = new Set(['public', 'private'].map((access) => `${storeId}.${access}.blob.vercel-storage.com`))

  const parsePath = (url: string): string | undefined => {
    const parsed = parseUrl(url)
    if (parsed === undefined) return undefined
    const { protocol, host, pathname, search, hash, username, password } = parsed
    if (protocol !== 'https:' || !hosts.has(host) || search + hash + username + password !== '') return undefined
    try {
      const path = pathname.slice(1).split('/').map(decodeURIComponent).join('/')
      return isPlainPath(path) ? path : undefined
    } catch {
      return undefined
    }
  }

  const findOwner = (url: string): string | undefined => {
    const path = parsePath(url)
    return path === undefined ? undefined : parsePathAccount(path)
  }

  return {
    readWriteToken: token,
    // The store compares the token's path with the client's path, so no prefix can be added here.
    bindPath: (accountId, pathname) =>
      pathname.startsWith(accountPrefix(accountId)) && isPlainPath(pathname) ? pathname : undefined,
    findOwner,
    read: async (url, { maxBytes, signal }) => {
      if (findOwner(url) === undefined) return undefined
      const { statusCode, body } = await request(url, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.any([AbortSignal.timeout(callTimeoutMs), ...(signal === undefined ? [] : [signal])]),
        ...(dispatcher !== undefined && { dispatcher }),
      })
      if (statusCode !== 200) {
        await body.dump()
        if (statusCode === 404) return undefined
        throw new Error(`the blob store responded with status ${statusCode}`)
      }
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxBytes) throw new BlobTooLargeError(`more than ${maxBytes} bytes`)
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    },
    remove: async (url) => {
      if (findOwner(url) !== undefined) await del(url, { token, abortSignal: AbortSignal.timeout(callTimeoutMs) })
    },
    sweep: async (before) => {
      let removed = 0
      let cursor: string | undefined
      do {
        const page = await list({
          token,
          prefix: 'accounts/',
          limit: pageSize,
          abortSignal: AbortSignal.timeout(callTimeoutMs),
          ...(cursor !== undefined && { cursor }),
        })
        const old = page.blobs.filter(({ uploadedAt }) => uploadedAt < before).map(({ url }) => url)
        if (old.length > 0) await del(old, { token, abortSignal: AbortSignal.timeout(callTimeoutMs) })
        removed += old.length
        cursor = page.hasMore ? page.cursor : undefined
      } while (cursor !== undefined)
      return removed
    },
  }
}
