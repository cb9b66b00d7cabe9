import type { Readable } from 'node:stream'
import type { CompletedPart } from '@aws-sdk/client-s3'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'
import { openS3, type S3Options } from '../blob/s3-client.ts'
import { ProviderError } from '../errors/provider-error.ts'
import {
  guessContentType,
  chooseDisposition,
  isStoreKey,
  requireKey,
  type PutOptions,
  type StorePort,
} from './index.ts'
import { countBytes, splitPieces } from './pieces.ts'
import { buildBucketUrl, createPresign } from './s3-address.ts'

export type S3StoreOptions = S3Options & {
  /** Base URL of public read access to the bucket, such as the URL of a CDN. If absent, URLs are signed and expire. */
  publicUrl?: string | undefined
}

const partBytes = 8 * 1024 * 1024
/** Maximum lifetime of URLs that Amazon S3 allows. */
const signedSeconds = 7 * 24 * 60 * 60

/** Stores objects in a bucket of an S3-compatible service. Streams large objects as multipart uploads. */
export async function createS3Store(options: S3StoreOptions): Promise<StorePort> {
  const { bucket } = options
  const { client, sdk } = await openS3(options)
  const base = withoutTrailingSlashes(options.publicUrl ?? buildBucketUrl(options))
  const presign = createPresign(client, options.region, signedSeconds)

  const toStoreError = (error: unknown): unknown => {
    if (error instanceof ProviderError) return error
    if (error instanceof sdk.S3ServiceException) {
      const status = error.$metadata.httpStatusCode
      if (error.name === 'NoSuchBucket')
        return new ProviderError('not_found', `S3: the bucket ${bucket} does not exist: create it, or correct its name`)
      const kind = status === 412 ? 'declined' : status === 401 || status === 403 ? 'unauthorized' : 'unavailable'
      return new ProviderError(kind, `S3: ${error.name} ${status ?? ''}`.trim())
    }
    const isConnectionError = error instanceof Error && 'code' in error && typeof error.code === 'string'
    return isConnectionError ? new ProviderError('unavailable', `S3: ${String(error.code)}`) : error
  }
  const withStoreErrors = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw toStoreError(error)
    }
  }

  const locate = (key: string) => ({ Bucket: bucket, Key: requireKey(key) })
  const buildUrl = (key: string): string => `${base}/${requireKey(key)}`
  const publicUrl = (key: string): Promise<string> =>
    options.publicUrl === undefined ? presign(buildUrl(key)) : Promise.resolve(buildUrl(key))

  const abortUpload = async (key: string, UploadId: string | undefined): Promise<void> => {
    await client.send(new sdk.AbortMultipartUploadCommand({ ...locate(key), UploadId }))
  }

  const abortUploadsBefore = async (before: Date): Promise<void> => {
    for (let markers = {}, isLast = false; !isLast;) {
      const page = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, ...markers }))
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? [])
        if (isStoreKey(Key) && Initiated !== undefined && Initiated < before) await abortUpload(Key, UploadId)
      markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      isLast = page.IsTruncated !== true
    }
  }

  /** Uploads an object in parts. Each part except the last has `partBytes` bytes. */
  const putParts = async (
    key: string,
    pieces: AsyncIterator<Buffer>,
    first: Buffer,
    put: PutOptions,
  ): Promise<void> => {
    const { contentType, overwrite, signal } = put
    const requestOptions = { ...(signal !== undefined && { abortSignal: signal }) }
    const metadata = { ContentType: contentType, ContentDisposition: chooseDisposition(contentType) }
    signal?.throwIfAborted()
    // Not abortable, because an upload whose id was not received cannot be aborted.
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ ...locate(key), ...metadata }))
    try {
      const parts: CompletedPart[] = []
      for (let piece: Buffer | undefined = first; piece !== undefined;) {
        const PartNumber = parts.length + 1
        const part = { ...locate(key), UploadId, PartNumber, Body: piece, ContentLength: piece.length }
        const { ETag } = await client.send(new sdk.UploadPartCommand(part), requestOptions)
        parts.push({ ETag, PartNumber })
        const next: IteratorResult<Buffer, unknown> = await pieces.next()
        piece = next.done === true ? undefined : next.value
      }
      const request = {
        ...locate(key),
        UploadId,
        MultipartUpload: { Parts: parts },
        ...(!overwrite && { IfNoneMatch: '*' }),
      }
      await client.send(new sdk.CompleteMultipartUploadCommand(request), requestOptions)
    } catch (error) {
      // The bucket's owner pays for the parts of the upload. The sweep aborts it if this request fails.
      await abortUpload(key, UploadId).catch(() => undefined)
      throw error
    }
  }

  const put: StorePort['put'] = async (key, source, options) => {
    const { contentType, overwrite, maxBytes = Number.MAX_SAFE_INTEGER, signal } = options
    const { count, content } = countBytes(source, maxBytes, signal)
    const pieces = splitPieces(content, partBytes)
    const { value: first = Buffer.alloc(0) } = (await pieces.next()) as IteratorResult<Buffer, undefined>
    if (first.length < partBytes) {
      const metadata = { ContentType: contentType, ContentDisposition: chooseDisposition(contentType) }
      const request = { ...locate(key), ...metadata, Body: first, ContentLength: first.length }
      await client.send(new sdk.PutObjectCommand({ ...request, ...(!overwrite && { IfNoneMatch: '*' }) }))
    } else await putParts(key, pieces, first, options)
    return { url: await publicUrl(key), bytes: count.bytes }
  }

  return {
    put: (key, content, options) => withStoreErrors(put(key, content, options)),
    publicUrl,
    sweep: (before) => withStoreErrors(abortUploadsBefore(before)),
    delete: async (key) => {
      await withStoreErrors(client.send(new sdk.DeleteObjectCommand(locate(key))))
    },
    parseKey: (url) => {
      const [address = ''] = url.split('?')
      const key = address.startsWith(`${base}/`) ? address.slice(base.length + 1) : ''
      return isStoreKey(key) ? key : undefined
    },
    open: async (key, range) => {
      const Range = range && `bytes=${range.first}-${range.last}`
      try {
        const response = await client.send(
          new sdk.GetObjectCommand({ ...locate(key), ...(Range !== undefined && { Range }) }),
        )
        return {
          size: Number(response.ContentRange?.split('/')[1] ?? response.ContentLength ?? 0),
          contentType: response.ContentType ?? guessContentType(key),
          etag: response.ETag ?? '""',
          changedAt: response.LastModified ?? new Date(0),
          content: response.Body as Readable,
        }
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw toStoreError(error)
      }
    },
  }
}
