import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { verifyClientToken } from './client-token.ts'
import type { ClientToken } from './client-token.ts'
import { accountOfPath, accountPrefix, BlobTooLarge, maxBlobBytes, objectName } from './index.ts'
import type { BlobObjects } from './index.ts'
import { createMultipart } from './multipart.ts'
import { badRequest, badToken, expiredToken, otherPath, tooLarge } from './refusal.ts'
import { BlobCutOff } from './spool.ts'
import type { Spool, Spooled } from './spool.ts'
import type { BlobAnswer, BuiltInStore, Upload, UploadRequest } from './upload.ts'

export type BuiltInOptions = {
  objects: BlobObjects
  spool: Spool
  readWriteToken: string
  addressOf: (pathname: string) => string
  /** Told of each finished upload. */
  completed: (upload: Upload, blob: BlobAnswer) => void
}

const withSuffix = (pathname: string): string => {
  const { dir, name, ext } = posix.parse(pathname)
  return posix.join(dir, `${name}-${randomBytes(15).toString('hex')}${ext}`)
}

const dispositionOf = (pathname: string): string =>
  `attachment; filename="${posix.basename(pathname).replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"`

/** A client may leave out the part of its path that names its account. */
const isBound = (pathname: string, token: ClientToken): boolean => {
  const account = accountOfPath(token.pathname)
  return account !== undefined && (pathname === token.pathname || accountPrefix(account) + pathname === token.pathname)
}

const pathFor = ({ token }: Upload): string =>
  token.addRandomSuffix === false ? token.pathname : withSuffix(token.pathname)

/** The upload library's protocol over objects of ours. */
export const createBuiltInStore = (options: BuiltInOptions): BuiltInStore => {
  const { objects, spool, readWriteToken, addressOf, completed } = options

  const admit = (request: UploadRequest): Upload => {
    const token = request.token === undefined ? undefined : verifyClientToken(request.token, readWriteToken)
    if (token === undefined) throw badToken()
    if (token.validUntil <= Date.now()) throw expiredToken()
    if (!isBound(request.pathname, token)) throw otherPath()
    const maxBytes = Math.min(token.maximumSizeInBytes ?? maxBlobBytes, maxBlobBytes)
    if ((request.length ?? 0) > maxBytes) throw tooLarge(maxBytes)
    return { token, request, maxBytes }
  }

  const receive = async <T>(body: Readable, maxBytes: number, use: (file: Spooled) => Promise<T>): Promise<T> => {
    try {
      return await spool.receive(body, maxBytes, use)
    } catch (error) {
      if (error instanceof BlobTooLarge) throw tooLarge(maxBytes)
      if (error instanceof BlobCutOff) throw badRequest('The upload was cut off')
      throw error
    }
  }

  const answer = (upload: Upload, pathname: string, etag: string): BlobAnswer => {
    const url = addressOf(pathname)
    const blob = {
      url,
      downloadUrl: `${url}?download=1`,
      pathname,
      contentType: upload.request.contentType ?? 'application/octet-stream',
      contentDisposition: dispositionOf(pathname),
      etag: `"${etag}"`,
    }
    completed(upload, blob)
    return blob
  }

  return {
    put: async (request) => {
      const upload = admit(request)
      const pathname = pathFor(upload)
      return receive(request.body, upload.maxBytes, async (file) => {
        await objects.put(objectName(pathname), file)
        return answer(upload, pathname, file.sha256.slice(0, 32))
      })
    },
    ...createMultipart({ objects, readWriteToken, admit, receive, answer, pathFor }),
  }
}
