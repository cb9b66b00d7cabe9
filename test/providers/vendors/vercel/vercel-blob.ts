import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createDiskObjects } from '../../../../providers/blob/built-in/disk-objects.ts'
import { createEmbeddedBlobs } from '../../../../providers/blob/built-in/embedded-blobs.ts'
import { BlobRefusedError } from '../../../../providers/blob/built-in/refusal.ts'
import type { BlobResponse, UploadRequest } from '../../../../providers/blob/built-in/protocol.ts'
import type { UploadLedger } from '../../../../domain/staged-files.ts'
import { serve } from '../serve.ts'
import { createVercelObjects } from './vercel-objects.ts'

const readBearer = ({ headers }: IncomingMessage): string => (headers.authorization ?? '').replace('Bearer ', '')

const toUpload = (request: IncomingMessage, url: URL): UploadRequest => ({
  token: readBearer(request),
  pathname: url.searchParams.get('pathname') ?? '',
  contentType: undefined,
  length: undefined,
  body: request,
})

/** Creates a ledger without quotas. */
const createUnlimitedUploads = (): UploadLedger => ({
  claim: ({ kind, pathname, partsId, maxBytes }) =>
    Promise.resolve(
      kind === 'begin'
        ? { outcome: 'begun', pathname, partsId: partsId ?? '' }
        : { outcome: 'reserved', attempt: '', bytes: maxBytes, pathname },
    ),
  receive: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  finish: () => Promise.resolve(true),
})

/** Starts a fake Vercel Blob, with uploads by client tokens and with reads, deletions and lists by the store's token. */
export const startVercelBlob = async (readWriteToken: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'backline-vercel-blob-'))
  const storeId = readWriteToken.split('_')[3] ?? ''
  const storeHost = `${storeId.toLowerCase()}.public.blob.vercel-storage.com`
  const blobStore = createEmbeddedBlobs({
    objects: createDiskObjects(folder),
    spoolFolder: join(folder, 'incoming'),
    storeUrl: `https://${storeHost}`,
    readWriteToken,
    receiving: { uploads: createUnlimitedUploads(), disk: { room: () => Promise.resolve(Number.MAX_SAFE_INTEGER) } },
    log: { warn: () => undefined },
  })
  const store = blobStore.builtIn
  if (store === undefined) throw new Error('the vendor has no store')
  const objects = createVercelObjects(storeHost)
  const uploaded = new Map<string, { pathname: string; uploadedAt: Date }>()

  const recordUpload = (blob: BlobResponse): BlobResponse => {
    uploaded.set(blob.url, { pathname: blob.pathname, uploadedAt: new Date() })
    return blob
  }

  const upload = async (request: IncomingMessage, url: URL): Promise<object> => {
    const { headers } = request
    if (readBearer(request) === readWriteToken) return objects.upload(request, url)
    const uploadRequest = toUpload(request, url)
    if (request.method === 'PUT') return recordUpload(await store.put(uploadRequest))
    const ids = { uploadId: String(headers['x-mpu-upload-id']), key: decodeURIComponent(String(headers['x-mpu-key'])) }
    if (headers['x-mpu-action'] === 'create') return store.createUpload(uploadRequest)
    if (headers['x-mpu-action'] === 'complete') return recordUpload(await store.completeUpload(uploadRequest, ids))
    return store.putPart(uploadRequest, { ...ids, partNumber: Number(headers['x-mpu-part-number']) })
  }

  const manage = async (request: IncomingMessage, url: URL): Promise<object> => {
    if (readBearer(request) !== readWriteToken) throw new BlobRefusedError(403, 'forbidden', 'Access denied')
    const address = url.searchParams.get('url')
    if (address !== null) return objects.head(address)
    if (url.pathname === '/delete') {
      const { urls } = (await json(request)) as { urls: string[] }
      for (const blobUrl of urls) {
        uploaded.delete(blobUrl)
        objects.remove(blobUrl)
        await blobStore.remove(blobUrl)
      }
      return {}
    }
    const blobs = [...uploaded].map(([blobUrl, { pathname, uploadedAt }]) => ({
      url: blobUrl,
      downloadUrl: blobUrl,
      pathname,
      size: 1,
      uploadedAt,
      etag: '""',
    }))
    return { blobs, hasMore: false }
  }

  const download = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (objects.download(request, response)) return
    if (readBearer(request) !== readWriteToken) {
      // Only public blobs are readable without the token.
      response.writeHead(request.headers.authorization === undefined ? 404 : 403).end()
      return
    }
    const bytes = await blobStore.read(`https://${storeHost}${request.url}`, { maxBytes: 1e9 })
    if (bytes === undefined) response.writeHead(404).end('not found')
    else response.writeHead(200).end(bytes)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.host === storeHost) return download(request, response)
    const url = new URL(request.url ?? '/', 'http://vendor')
    const isUpload = request.method === 'PUT' || url.pathname === '/mpu'
    try {
      const body = await (isUpload ? upload(request, url) : manage(request, url))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } catch (error) {
      if (!(error instanceof BlobRefusedError)) throw error
      const { status, code, message } = error
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { code, message } }))
    }
  }

  const server = await serve((request, response) => void handle(request, response))
  return {
    ...server,
    storeHost,
    partsSent: objects.partsSent,
    close: async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
