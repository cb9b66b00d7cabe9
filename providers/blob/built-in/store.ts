import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { createAdmission } from './admit.ts'
import { BlobTooLargeError, objectName, type BlobObjects } from '../index.ts'
import { createMultipart } from './multipart.ts'
import { badRequest, tooLarge, usedToken } from './refusal.ts'
import { createReservations, type ReservationOptions } from './reservations.ts'
import { BlobIncompleteError, type Spool, type Spooled } from './spool.ts'
import type { BlobResponse, BuiltInStore, Upload } from './protocol.ts'

export type BuiltInOptions = ReservationOptions & {
  objects: BlobObjects
  spool: Spool
  readWriteToken: string
  buildUrl: (pathname: string) => string
  /** Called for each finished upload. */
  completed: (upload: Upload, blob: BlobResponse) => void
}

/** Implements the protocol of the upload library with the object store of this deployment. */
export function createBuiltInStore(options: BuiltInOptions): BuiltInStore {
  const { objects, spool, readWriteToken, buildUrl, completed } = options
  const admission = createAdmission(readWriteToken)
  const reservations = createReservations(options)
  const { claim, whileReserved, finish } = reservations

  const receive = <T>(body: Readable, maxBytes: number, use: (file: Spooled) => Promise<T>): Promise<T> =>
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

  const answer = (upload: Upload, pathname: string, etag: string): BlobResponse => {
    const blob = describe(upload, pathname, etag)
    completed(upload, blob)
    return blob
  }

  /** Returns the stored response for a used token if the bytes are the same, because the first response may have been lost. */
  const repeat = async (
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
      const wanted = { kind: 'whole', pathname: pathFor(upload), partsId: null, part: 0 } as const
      const claimed = await claim(upload, wanted)
      if (claimed.outcome === 'stored') return repeat(upload, claimed)
      if (claimed.outcome !== 'reserved') throw usedToken()
      const { pathname, bytes } = claimed
      return whileReserved(claimed, () =>
        receive(request.body, bytes, async (file) => {
          await objects.put(objectName(pathname), file)
          await finish(claimed, { etag: toEtag(file), bytes: file.size })
          return answer(upload, pathname, toEtag(file))
        }),
      )
    },
    ...createMultipart({
      objects,
      readWriteToken,
      admit: admission.admit,
      receive,
      describe,
      answer,
      pathFor,
      reservations,
    }),
  }
}

async function translateErrors<T>(maxBytes: number, receiving: Promise<T>): Promise<T> {
  try {
    return await receiving
  } catch (error) {
    if (error instanceof BlobTooLargeError) throw tooLarge(maxBytes)
    if (error instanceof BlobIncompleteError) throw badRequest('The upload was cut off')
    throw error
  }
}

function buildDisposition(pathname: string): string {
  return `attachment; filename="${posix.basename(pathname).replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"`
}

function toEtag({ sha256 }: Pick<Spooled, 'sha256'>): string {
  return sha256.slice(0, 32)
}

function pathFor({ token }: Upload): string {
  return token.addRandomSuffix === false ? token.pathname : withSuffix(token.pathname)
}

function withSuffix(pathname: string): string {
  const { dir, name, ext } = posix.parse(pathname)
  return posix.join(dir, `${name}-${randomBytes(15).toString('hex')}${ext}`)
}
