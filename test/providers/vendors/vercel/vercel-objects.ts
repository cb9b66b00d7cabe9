import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer, json } from 'node:stream/consumers'
import { BlobRefusedError } from '../../../../providers/blob/built-in/refusal.ts'
import { sendRange } from '../send-range.ts'

type StoredBlob = { bytes: Buffer; contentType: string; uploadedAt: Date }

/** Creates the operations of Vercel Blob that use the token of the store, for whole files and multipart files. */
export function createVercelObjects(storeHost: string) {
  const objects = new Map<string, StoredBlob>()
  const uploads = new Map<string, Map<number, Buffer>>()

  const toResponse = (pathname: string, contentType: string): object => {
    const url = `https://${storeHost}/${pathname}`
    return { url, downloadUrl: `${url}?download=1`, pathname, contentType, contentDisposition: 'inline', etag: '"1"' }
  }

  const storeBlob = ({ headers }: IncomingMessage, pathname: string, bytes: Buffer): object => {
    const contentType = String(headers['x-content-type'])
    if (objects.has(pathname) && headers['x-allow-overwrite'] !== '1')
      throw new BlobRefusedError(400, 'bad_request', 'This blob already exists')
    objects.set(pathname, { bytes, contentType, uploadedAt: new Date() })
    return toResponse(pathname, contentType)
  }

  const handleMultipart = async (request: IncomingMessage, pathname: string): Promise<object> => {
    const { headers } = request
    const id = String(headers['x-mpu-upload-id'])
    if (headers['x-mpu-action'] === 'create') {
      const uploadId = `upload-${uploads.size}`
      uploads.set(uploadId, new Map())
      return { uploadId, key: pathname }
    }
    const parts = uploads.get(id)
    if (parts === undefined) throw new BlobRefusedError(404, 'not_found', 'No such upload')
    if (headers['x-mpu-action'] === 'complete') {
      const partList = (await json(request)) as { partNumber: number }[]
      const sortedParts = partList.sort((a, b) => a.partNumber - b.partNumber)
      return storeBlob(
        request,
        pathname,
        Buffer.concat(sortedParts.map(({ partNumber }) => parts.get(partNumber) ?? Buffer.alloc(0))),
      )
    }
    const part = Number(headers['x-mpu-part-number'])
    parts.set(part, await buffer(request))
    return { etag: `"${part}"` }
  }

  return {
    upload: async (request: IncomingMessage, url: URL): Promise<object> => {
      const pathname = url.searchParams.get('pathname') ?? ''
      return url.pathname === '/mpu'
        ? handleMultipart(request, pathname)
        : storeBlob(request, pathname, await buffer(request))
    },
    partsSent: (): number => Array.from(uploads.values()).reduce((sum, parts) => sum + parts.size, 0),
    head: (address: string): object => {
      const { pathname } = new URL(address)
      const blob = objects.get(pathname.slice(1))
      if (blob === undefined) throw new BlobRefusedError(404, 'not_found', 'The requested blob does not exist')
      const size = blob.bytes.length
      return { ...toResponse(pathname.slice(1), blob.contentType), size, uploadedAt: blob.uploadedAt, cacheControl: '' }
    },
    remove: (address: string): void => void objects.delete(new URL(address).pathname.slice(1)),
    /** Returns false if there is no such object. */
    download: (request: IncomingMessage, response: ServerResponse): boolean => {
      const blob = objects.get((request.url ?? '').slice(1))
      if (blob === undefined) return false
      sendRange(request, response, blob.bytes, { 'content-type': blob.contentType, etag: '"1"' })
      return true
    },
  }
}
