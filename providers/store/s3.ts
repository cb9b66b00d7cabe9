import type { Readable } from 'node:stream'
import type { CompletedPart } from '@aws-sdk/client-s3'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'
import { openS3, type S3Options } from '../blob/s3-client.ts'
import { ProviderError } from '../provider-error.ts'
import {
  guessContentType,
  chooseDisposition,
  isStoreKey,
  requireKey,
  type PutOptions,
  type StorePort,
} from './index.ts'
import { countBytes, inPieces } from './pieces.ts'
import { bucketUrl, createPresign } from './s3-address.ts'

export type S3StoreOptions = S3Options & {
  /** Where everyone may read the bucket, for example a CDN. Absent: addresses are signed, and expire. */
  publicUrl?: string | undefined
}

const partBytes = 8 * 1024 * 1024
/** The longest that Amazon signs for. */
const signedSeconds = 7 * 24 * 60 * 60

/** Objects in a bucket of anything that speaks S3; large ones are sent in parts while they come. */
export async function createS3Store(options: S3StoreOptions): Promise<StorePort> {
  const { bucket } = options
  const { client, sdk } = await openS3(options)
  const base = withoutTrailingSlashes(options.publicUrl ?? bucketUrl(options))
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
    const isOfConnection = error instanceof Error && 'code' in error && typeof error.code === 'string'
    return isOfConnection ? new ProviderError('unavailable', `S3: ${String(error.code)}`) : error
  }
  const inOurWords = async <T>(work: Promise<T>): Promise<T> => {
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

  const giveUpUploadsBefore = async (before: Date): Promise<void> => {
    for (let markers = {}, isLast = false; !isLast;) {
      const page = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, ...markers }))
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? [])
        if (isStoreKey(Key) && Initiated !== undefined && Initiated < before) await abortUpload(Key, UploadId)
      markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      isLast = page.IsTruncated !== true
    }
  }

  /** All parts but the last one are full. */
  const putParts = async (
    key: string,
    pieces: AsyncIterator<Buffer>,
    first: Buffer,
    put: PutOptions,
  ): Promise<void> => {
    const { contentType, overwrite, signal } = put
    const how = { ...(signal !== undefined && { abortSignal: signal }) }
    const about = { ContentType: contentType, ContentDisposition: chooseDisposition(contentType) }
    signal?.throwIfAborted()
    // Runs to its end even when the put is aborted: an upload whose id never arrived could not be given up.
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ ...locate(key), ...about }))
    try {
      const parts: CompletedPart[] = []
      for (let piece: Buffer | undefined = first; piece !== undefined;) {
        const PartNumber = parts.length + 1
        const part = { ...locate(key), UploadId, PartNumber, Body: piece, ContentLength: piece.length }
        const { ETag } = await client.send(new sdk.UploadPartCommand(part), how)
        parts.push({ ETag, PartNumber })
        const next: IteratorResult<Buffer, unknown> = await pieces.next()
        piece = next.done === true ? undefined : next.value
      }
      const whole = {
        ...locate(key),
        UploadId,
        MultipartUpload: { Parts: parts },
        ...(!overwrite && { IfNoneMatch: '*' }),
      }
      await client.send(new sdk.CompleteMultipartUploadCommand(whole), how)
    } catch (error) {
      // The bucket's owner pays for its parts. The sweep gives it up if this fails.
      await abortUpload(key, UploadId).catch(() => undefined)
      throw error
    }
  }

  const put: StorePort['put'] = async (key, source, options) => {
    const { contentType, overwrite, maxBytes = Number.MAX_SAFE_INTEGER, signal } = options
    const { counted, content } = countBytes(source, maxBytes, signal)
    const pieces = inPieces(content, partBytes)
    const { value: first = Buffer.alloc(0) } = (await pieces.next()) as IteratorResult<Buffer, undefined>
    if (first.length < partBytes) {
      const about = { ContentType: contentType, ContentDisposition: chooseDisposition(contentType) }
      const whole = { ...locate(key), ...about, Body: first, ContentLength: first.length }
      await client.send(new sdk.PutObjectCommand({ ...whole, ...(!overwrite && { IfNoneMatch: '*' }) }))
    } else await putParts(key, pieces, first, options)
    return { url: await publicUrl(key), bytes: counted.bytes }
  }

  return {
    put: (key, content, options) => inOurWords(put(key, content, options)),
    publicUrl,
    sweep: (before) => inOurWords(giveUpUploadsBefore(before)),
    delete: async (key) => {
      await inOurWords(client.send(new sdk.DeleteObjectCommand(locate(key))))
    },
    parseKey: (url) => {
      const [address = ''] = url.split('?')
      const key = address.startsWith(`${base}/`) ? address.slice(base.length + 1) : ''
      return isStoreKey(key) ? key : undefined
    },
    open: async (key, range) => {
      const Range = range && `bytes=${range.first}-${range.last}`
      try {
        const found = await client.send(
          new sdk.GetObjectCommand({ ...locate(key), ...(Range !== undefined && { Range }) }),
        )
        return {
          size: Number(found.ContentRange?.split('/')[1] ?? found.ContentLength ?? 0),
          contentType: found.ContentType ?? guessContentType(key),
          etag: found.ETag ?? '""',
          changedAt: found.LastModified ?? new Date(0),
          content: found.Body as Readable,
        }
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw toStoreError(error)
      }
    },
  }
}
