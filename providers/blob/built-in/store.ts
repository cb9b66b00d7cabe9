import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { createAdmission } from './admit.ts'
import { BlobTooLargeError, objectName, type BlobObjects } from '../index.ts'
import { createMultipart } from './multipart.ts'
import { badRequest, tooLarge, usedToken } from './refusal.ts'
import { createReservations, type ReservationOptions } from './reservations.ts'
import { BlobIncompleteError, type Spool, type SpooledFile } from './spool.ts'
import type { BlobResponse, BuiltInStore, Upload } from './protocol.ts'

export type BuiltInOptions = ReservationOptions & {
  objects: BlobObjects
  spool: Spool
  readWriteToken: string
  buildUrl: (pathname: string) => string
  /** Called for each finished upload. */
  onCompleted: (upload: Upload, blob: BlobResponse) => void
}

/** Implements the protocol of the upload library with the object store of this deployment. */
export function createBuiltInStore(options: BuiltInOptions): BuiltInStore {
  const { objects, spool, readWriteToken, buildUrl, onCompleted } = options
  const admission = createAdmission(readWriteToken)
  const reservations = createReservations(options)
  const { claim, whileReserved, finish } = reservations

  const receive = <T>(body: Readable, maxBytes: number, use: (file: SpooledFile) => Promise<T>): Promise<T> =>
    translateErrors(maxBytes, spool.receive(body, maxBytes, use))

  const describe = (upload: Upload, pathname: string, etag: string): BlobResponse => {
    const url = buildUrl(pathname)
    return {
      url,
      downloadUrl: `${url}?download=1`,
      pathname,
      contentType: upload.request.contentType ?? 'application/octet-stream',
      contentDisposition: buildDisposition(pathname),
      etag: `"${etag}"`,
    }
  }

  const describeAndNotify = (upload: Upload, pathname: string, etag: string): BlobResponse => {
    const blob = describe(upload, pathname, etag)
    onCompleted(upload, blob)
    return blob
  }

  /** Repeats the response for a used token if the bytes are the same, because the first response may have been lost. */
  const repeatResponse = async (
    upload: Upload,
    { pathname, etag }: { pathname: string; etag: string },
  ): Promise<BlobResponse> => {
    const { body } = upload.request
    const sent = await translateErrors(upload.maxBytes, spool.digest(body, upload.maxBytes))
    if (toEtag(sent) !== etag) throw usedToken()
    return describe(upload, pathname, etag)
  }

  return {
    findTokenAccount: admission.findTokenAccount,
    put: async (request) => {
      const upload = admission.admit(request)
      const claimRequest = { kind: 'whole', pathname: buildPath(upload), partsId: null, part: 0 } as const
      const claimResult = await claim(upload, claimRequest)
      if (claimResult.outcome === 'stored') return repeatResponse(upload, claimResult)
      if (claimResult.outcome !== 'reserved') throw usedToken()
      const { pathname, bytes } = claimResult
      return whileReserved(claimResult, () =>
        receive(request.body, bytes, async (file) => {
          await objects.put(objectName(pathname), file)
          await finish(claimResult, { etag: toEtag(file), bytes: file.size })
          return describeAndNotify(upload, pathname, toEtag(file))
        }),
      )
    },
    ...createMultipart({
      objects,
      readWriteToken,
      admit: admission.admit,
      receive,
      describe,
      describeAndNotify,
      buildPath,
      reservations,
    }),
  }
}

async function translateErrors<T>(maxBytes: number, operation: Promise<T>): Promise<T> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof BlobTooLargeError) throw tooLarge(maxBytes)
    if (error instanceof BlobIncompleteError) throw badRequest('The upload ended early')
    throw error
  }
}

function buildDisposition(pathname: string): string {
  return `attachment; filename="${posix.basename(pathname).replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"`
}

function toEtag({ sha256 }: Pick<SpooledFile, 'sha256'>): string {
  return sha256.slice(0, 32)
}

function buildPath({ token }: Upload): string {
  return token.addRandomSuffix === false ? token.pathname : withSuffix(token.pathname)
}

function withSuffix(pathname: string): string {
  const { dir, name, ext } = posix.parse(pathname)
  return posix.join(dir, `${name}-${randomBytes(15).toString('hex')}${ext}`)
}
