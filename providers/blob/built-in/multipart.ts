import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { parseJson } from '../../../domain/fields/json.ts'
import { createSeal } from './client-token.ts'
import { objectName, type BlobObjects } from '../index.ts'
import { badRequest, noSuchUpload, usedToken } from './refusal.ts'
import type { Reservations } from './reservations.ts'
import type { SpooledFile } from './spool.ts'
import type { BlobResponse, MultipartUploads, Upload, UploadIds, UploadRequest } from './protocol.ts'

type MultipartOptions = {
  objects: BlobObjects
  readWriteToken: string
  admit: (request: UploadRequest) => Upload
  receive: <T>(body: Readable, maxBytes: number, use: (file: SpooledFile) => Promise<T>) => Promise<T>
  describe: (upload: Upload, pathname: string, etag: string) => BlobResponse
  /** Like `describe`, and calls the callback of the finished upload. */
  describeAndNotify: (upload: Upload, pathname: string, etag: string) => BlobResponse
  buildPath: (upload: Upload) => string
  reservations: Reservations
}

const maxParts = 1000
const maxListBytes = 256 * 1024

const partsSchema = z
  .array(z.object({ partNumber: z.int().min(1).max(maxParts), etag: z.string().max(100) }))
  .min(1)
  .max(maxParts)
type Parts = z.output<typeof partsSchema>

/** Implements multipart uploads. Each part is a separate object until the last request joins them. */
export function createMultipart(options: MultipartOptions): MultipartUploads {
  const { objects, admit, receive, describe, describeAndNotify, buildPath } = options
  const { claim, whileReserved, recordPart, finish } = options.reservations
  const { seal, isValidSeal } = createSeal(options.readWriteToken)

  const parseUploadId = ({ token }: Upload, { uploadId, key }: UploadIds): string => {
    const [id = '', idSeal = ''] = uploadId.split('-')
    if (!/^[0-9a-f]{32}$/.test(id) || !isValidSeal(idSeal, id, key, token.pathname)) throw noSuchUpload()
    return id
  }

  /** Streams the parts in order. Throws if the content of a part does not match its etag. */
  async function* join(folder: string, parts: Parts): AsyncGenerator<Buffer> {
    for (const { partNumber, etag } of parts) {
      const part = await objects.open(`${folder}/${partNumber}`)
      if (part === undefined) throw badRequest(`Part ${partNumber} was not uploaded`)
      const hash = createHash('sha256')
      for await (const chunk of part.content as AsyncIterable<Buffer>) {
        hash.update(chunk)
        yield chunk
      }
      if (`"${hash.digest('hex').slice(0, 32)}"` !== etag) throw badRequest(`Part ${partNumber} has a different etag`)
    }
  }

  return {
    createUpload: async (request) => {
      const upload = admit(request)
      const partsId = randomBytes(16).toString('hex')
      const start = await claim(upload, { kind: 'begin', pathname: buildPath(upload), partsId, part: 0 })
      if (start.outcome !== 'begun') throw usedToken()
      const { pathname: key, partsId: id } = start
      return { key, uploadId: `${id}-${seal(id, key, upload.token.pathname)}` }
    },
    putPart: async (request, { partNumber, ...ids }) => {
      const upload = admit(request)
      const partsId = parseUploadId(upload, ids)
      if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > maxParts)
        throw badRequest(`A part number is 1 to ${maxParts}`)
      const claimResult = await claim(upload, { kind: 'part', pathname: ids.key, partsId, part: partNumber })
      if (claimResult.outcome !== 'reserved') throw usedToken()
      return whileReserved(claimResult, () =>
        receive(request.body, claimResult.bytes, async (file) => {
          await recordPart(claimResult, file.size)
          await objects.put(`${buildPartsPath(partsId)}/${partNumber}`, file)
          return { etag: `"${file.sha256.slice(0, 32)}"` }
        }),
      )
    },
    completeUpload: async (request, ids) => {
      const upload = admit(request)
      const partsId = parseUploadId(upload, ids)
      const parts = sortParts(await readParts(request.body))
      const etag = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
      const claimResult = await claim(upload, { kind: 'join', pathname: ids.key, partsId, part: 0 })
      if (claimResult.outcome === 'stored' && claimResult.etag === etag)
        return describe(upload, claimResult.pathname, etag)
      if (claimResult.outcome !== 'reserved') throw usedToken()
      const folder = buildPartsPath(partsId)
      await whileReserved(claimResult, () =>
        receive(Readable.from(join(folder, parts)), upload.maxBytes, async (file) => {
          await objects.put(objectName(claimResult.pathname), file)
          await finish(claimResult, { etag, bytes: file.size })
        }),
      )
      for await (const part of objects.list(folder)) await objects.remove(part.name)
      return describeAndNotify(upload, claimResult.pathname, etag)
    },
  }
}

function buildPartsPath(partsId: string): string {
  return `uploads/${partsId}`
}

/** Sorts the parts by number, because the library lists them in the order of completion. */
function sortParts(parts: Parts): Parts {
  if (new Set(parts.map(({ partNumber }) => partNumber)).size < parts.length) throw badRequest('A part is listed twice')
  return parts.toSorted((a, b) => a.partNumber - b.partNumber)
}

async function readParts(body: Readable): Promise<Parts> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxListBytes) throw badRequest('The list of parts is too long')
    chunks.push(chunk)
  }
  try {
    return partsSchema.parse(parseJson(Buffer.concat(chunks).toString()))
  } catch {
    throw badRequest('The list of parts is not valid')
  }
}
