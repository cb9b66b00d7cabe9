import { Readable } from 'node:stream'
import { BlobAccessError, BlobError, BlobNotFoundError, BlobServiceRateLimited, del, head, put } from '@vercel/blob'
import { request, type Dispatcher } from 'undici'
import { ProviderError } from '../errors/provider-error.ts'
import { guessContentType, isStoreKey, requireKey, type PutOptions, type StorePort } from './index.ts'
import { countBytes } from './pieces.ts'

export type VercelStoreOptions = {
  readWriteToken: string
  /** Dispatcher for requests to the store. Defaults to the global dispatcher. */
  dispatcher?: Dispatcher
}

const callTimeoutMs = 60_000

/** Stores public objects in Vercel Blob. Uploads are multipart and stream their source. */
export function createVercelStore({ readWriteToken: token, dispatcher }: VercelStoreOptions): StorePort {
  const base = `https://${(token.split('_')[3] ?? '').toLowerCase()}.public.blob.vercel-storage.com`
  const buildUrl = (key: string): string => `${base}/${requireKey(key)}`

  const exists = (key: string): Promise<boolean> =>
    head(buildUrl(key), { token, abortSignal: AbortSignal.timeout(callTimeoutMs) }).then(
      () => true,
      (error: unknown) => (error instanceof BlobNotFoundError ? false : Promise.reject(error)),
    )

  const send = async (key: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<number> => {
    const { contentType, overwrite, maxBytes = Number.MAX_SAFE_INTEGER, signal } = options
    const { count, content } = countBytes(source, maxBytes, signal)
    const body = Readable.from(content, { objectMode: false })
    let sourceError: Error | undefined
    body.once('error', (error) => (sourceError = error))
    try {
      await put(requireKey(key), body, {
        access: 'public',
        token,
        contentType,
        multipart: true,
        addRandomSuffix: false,
        allowOverwrite: overwrite,
        ...(signal !== undefined && { abortSignal: signal }),
      })
    } catch (error) {
      // The library replaces an error of the source with its own error, so the original error is thrown.
      if (sourceError !== undefined) throw sourceError
      if (!overwrite && (await exists(key)))
        throw new ProviderError('declined', 'store: an object with this key already exists')
      throw error
    }
    return count.bytes
  }

  return {
    put: async (key, content, options) => {
      try {
        return { bytes: await send(key, content, options), url: buildUrl(key) }
      } catch (error) {
        throw toStoreError(error)
      }
    },
    publicUrl: (key) => Promise.resolve(buildUrl(key)),
    sweep: () => Promise.resolve(),
    delete: async (key) => {
      try {
        await del(buildUrl(key), { token, abortSignal: AbortSignal.timeout(callTimeoutMs) })
      } catch (error) {
        throw toStoreError(error)
      }
    },
    parseKey: (url) => {
      const key = url.startsWith(`${base}/`) ? url.slice(base.length + 1) : ''
      return isStoreKey(key) ? key : undefined
    },
    open: async (key, range) => {
      const { statusCode, headers, body } = await request(buildUrl(key), {
        headersTimeout: callTimeoutMs,
        headers: { ...(range !== undefined && { range: `bytes=${range.first}-${range.last}` }) },
        ...(dispatcher !== undefined && { dispatcher }),
      })
      if (statusCode !== 200 && statusCode !== 206) {
        await body.dump()
        if (statusCode === 404) return undefined
        throw new ProviderError('unavailable', `Vercel Blob: ${statusCode}`)
      }
      const header = (name: string): string | undefined => {
        const value = headers[name]
        return Array.isArray(value) ? value[0] : value
      }
      return {
        size: Number(header('content-range')?.split('/')[1] ?? header('content-length') ?? 0),
        contentType: header('content-type') ?? guessContentType(key),
        etag: header('etag') ?? '""',
        changedAt: new Date(header('last-modified') ?? 0),
        content: body,
      }
    },
  }
}

function toStoreError(error: unknown): unknown {
  if (error instanceof BlobServiceRateLimited)
    return new ProviderError('rate_limited', 'Vercel Blob: too many calls', { retryAfterSeconds: error.retryAfter })
  if (error instanceof BlobAccessError) return new ProviderError('unauthorized', 'Vercel Blob: access denied')
  return error instanceof BlobError || error instanceof TypeError
    ? new ProviderError('unavailable', `Vercel Blob: ${error.name}`)
    : error
}
