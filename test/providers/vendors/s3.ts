import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { sendRange } from './send-range.ts'
import { serve } from './serve.ts'

type StoredObject = { bytes: Buffer; changedAt: Date; headers?: Record<string, string> }

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const sendError = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

const pickHeaders = ({ headers }: IncomingMessage): Record<string, string> => ({
  'content-type': headers['content-type'] ?? 'binary/octet-stream',
  'content-disposition': headers['content-disposition'] ?? 'inline',
})

/** Starts a fake S3 service with one bucket and one key: put, multipart put, get, delete, and lists of two objects a page. */
export const startS3 = async ({ bucket, accessKeyId }: { bucket: string; accessKeyId: string }) => {
  const objects = new Map<string, StoredObject>()
  const requests: string[] = []
  const uploads = new Map<string, { key: string; headers: Record<string, string>; parts: Map<number, Buffer> }>()

  /** Handles a multipart upload. All parts except the last one must have at least five mebibytes. */
  const handleMultipart = (
    request: IncomingMessage,
    response: ServerResponse,
    { url, key, bytes }: { url: URL; key: string; bytes: Buffer },
  ): void => {
    const id = url.searchParams.get('uploadId') ?? ''
    const xml = (text: string): void => {
      response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)
    }
    if (url.searchParams.has('uploads')) {
      const uploadId = `upload-${requests.length}`
      uploads.set(uploadId, { key, headers: pickHeaders(request), parts: new Map() })
      return xml(`<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`)
    }
    const upload = uploads.get(id)
    if (upload === undefined) return sendError(response, 404, 'NoSuchUpload')
    if (request.method === 'PUT') {
      const part = Number(url.searchParams.get('partNumber'))
      upload.parts.set(part, bytes)
      response.writeHead(200, { etag: `"part-${part}"` }).end()
      return
    }
    if (request.method === 'DELETE') {
      uploads.delete(id)
      response.writeHead(204).end()
      return
    }
    if (request.headers['if-none-match'] === '*' && objects.has(key))
      return sendError(response, 412, 'PreconditionFailed')
    const numbers = [...bytes.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number))
    const parts = numbers.map((number) => upload.parts.get(number) ?? Buffer.alloc(0))
    if (parts.slice(0, -1).some((part) => part.length < 5 * 1024 * 1024))
      return sendError(response, 400, 'EntityTooSmall')
    objects.set(key, { bytes: Buffer.concat(parts), changedAt: new Date(), headers: upload.headers })
    uploads.delete(id)
    xml(`<CompleteMultipartUploadResult><Key>${escape(key)}</Key></CompleteMultipartUploadResult>`)
  }

  const listUploads = (response: ServerResponse): void => {
    const listed = [...uploads].map(
      ([id, { key }]) =>
        `<Upload><Key>${escape(key)}</Key><UploadId>${id}</UploadId><Initiated>2026-01-01T00:00:00Z</Initiated></Upload>`,
    )
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(`<?xml version="1.0"?><ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`)
  }

  const list = (url: URL, response: ServerResponse): void => {
    const after = url.searchParams.get('continuation-token') ?? ''
    const names = [...objects.keys()].filter((name) => name.startsWith(url.searchParams.get('prefix') ?? '')).sort()
    const remainingNames = names.filter((name) => name > after)
    const page = remainingNames.slice(0, 2)
    const contents = page.map((name) => {
      const { bytes, changedAt } = objects.get(name) as StoredObject
      return `<Contents><Key>${escape(name)}</Key><Size>${bytes.length}</Size><LastModified>${changedAt.toISOString()}</LastModified></Contents>`
    })
    const isTruncated = remainingNames.length > page.length
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${
        isTruncated ? `<NextContinuationToken>${escape(page.at(-1) ?? '')}</NextContinuationToken>` : ''
      }</ListBucketResult>`,
    )
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://s3')
    const [, name = '', ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    const bytes = await buffer(request)
    requests.push(`${request.method} ${key}`)
    // A presigned URL contains its credential and its signature in the query.
    const credential = url.searchParams.get('X-Amz-Credential')?.startsWith(`${accessKeyId}/`) === true
    const isSigned = credential && /^[0-9a-f]{64}$/.test(url.searchParams.get('X-Amz-Signature') ?? '')
    if (!isSigned && !(request.headers.authorization ?? '').startsWith(`AWS4-HMAC-SHA256 Credential=${accessKeyId}/`))
      return sendError(response, 403, 'InvalidAccessKeyId')
    if (name !== bucket) return sendError(response, 404, 'NoSuchBucket')
    if (request.method === 'GET' && key === '')
      return url.searchParams.has('uploads') ? listUploads(response) : list(url, response)
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return handleMultipart(request, response, { url, key, bytes })
    if (request.method === 'PUT') {
      if (request.headers['content-length'] !== String(bytes.length))
        return sendError(response, 411, 'MissingContentLength')
      if (request.headers['if-none-match'] === '*' && objects.has(key))
        return sendError(response, 412, 'PreconditionFailed')
      objects.set(key, { bytes, changedAt: new Date(), headers: pickHeaders(request) })
      response.writeHead(200, { etag: '"etag"' }).end()
      return
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      response.writeHead(204).end()
      return
    }
    const object = objects.get(key)
    if (object === undefined) return sendError(response, 404, 'NoSuchKey')
    const lastModified = object.changedAt.toUTCString()
    sendRange(request, response, object.bytes, { ...object.headers, etag: '"etag"', 'last-modified': lastModified })
  }

  const server = await serve((request, response) => void handle(request, response))
  return { ...server, objects, requests, uploads }
}
