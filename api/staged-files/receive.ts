import { z } from 'zod'
import { BlobRefusedError } from '../../providers/blob/built-in/refusal.ts'
import type { BuiltInStore, UploadRequest } from '../../providers/blob/built-in/protocol.ts'
import type { BlobPort } from '../../providers/blob/index.ts'
import { ApiError, type ErrorCode } from '../http/errors.ts'
import { mebibytes, route, type Request, type Route } from '../http/route.ts'
import type { RouteDeps } from '../deps.ts'

export type BlobStoreDeps = Pick<RouteDeps, 'config'> & { blobs: BlobPort }

const codes: Record<BlobRefusedError['status'], ErrorCode> = {
  400: 'invalid_request',
  403: 'forbidden',
  404: 'not_found',
  413: 'payload_too_large',
  429: 'rate_limited',
  503: 'unavailable',
}

type IncomingUpload = Pick<Request<unknown, { pathname: string }, unknown>, 'headers' | 'query' | 'incoming'>

const routeDefaults = {
  tag: { name: 'Files', description: 'The embedded store of staged files, for the upload library.' },
  auth: 'none',
  ownership: 'The upload token allows writing to one path, which belongs to one account.',
  envelope: 'blob',
  bodyLimit: mebibytes(100),
  rate: 'default',
  streamedBody: 'application/octet-stream',
  // Headers of the upload library.
  allowHeaders:
    'x-api-version, x-api-blob-request-id, x-api-blob-request-attempt, x-content-length, x-content-type, x-vercel-blob-access, x-vercel-blob-store-id, x-mpu-action, x-mpu-key, x-mpu-upload-id, x-mpu-part-number',
  query: z.object({ pathname: z.string().min(1).max(2000) }),
} as const

const blob = z.object({
  url: z.url(),
  downloadUrl: z.url(),
  pathname: z.string(),
  contentType: z.string(),
  contentDisposition: z.string(),
  etag: z.string(),
})

/** Returns the routes of the embedded store; an empty list if a vendor stores the files. */
export function blobStoreRoutes(deps: BlobStoreDeps): Route[] {
  return deps.config.BLOB_STORE === 'vercel' ? [] : [put(deps), multipart(deps)]
}

function put(deps: BlobStoreDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PUT',
    path: '/blob/',
    summary: 'Upload a staged file',
    description:
      'Send the upload token of POST /api/sandboxes/staged-file as Authorization. A token uploads one file. Repeating ' +
      'the same bytes returns the same response; other bytes are rejected.',
    authorize: authorizeByToken(deps),
    responses: { 200: blob },
    errors: ['forbidden', 'payload_too_large', 'rate_limited', 'unavailable'],
    handle: async (request) => {
      const body = await requireStore(deps).put(toUpload(request)).catch(throwApiError)
      return { status: 200, body }
    },
  })
}

/** Returns the `authorize` of a route: the account of the upload token, towards whose rate limit the upload counts. */
function authorizeByToken(deps: BlobStoreDeps) {
  return (request: Pick<IncomingUpload, 'headers'>): Promise<string | undefined> =>
    Promise.resolve(requireStore(deps).findTokenAccount(readToken(request)))
}

function requireStore({ blobs: { builtIn } }: BlobStoreDeps): BuiltInStore {
  if (builtIn === undefined) throw new Error('this deployment has no embedded blob store')
  return builtIn
}

function readToken({ headers }: Pick<IncomingUpload, 'headers'>): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers['authorization'] ?? '')?.[1]
}

function toUpload(request: IncomingUpload): UploadRequest {
  return {
    token: readToken(request),
    pathname: request.query.pathname,
    contentType: request.headers['x-content-type'],
    length: readLength(request),
    body: request.incoming,
  }
}

/** Returns the length of the body. When it reports progress, the library sends a chunked body, with the length in a header. */
function readLength({ headers }: IncomingUpload): number | undefined {
  const [length, bodyLength] = [Number(headers['content-length']), Number(headers['x-content-length'])]
  return Number.isInteger(length) ? length : Number.isInteger(bodyLength) && bodyLength > 0 ? bodyLength : undefined
}

/** Converts the error of a rejected upload to an `ApiError` with the store's code, and throws it. Rethrows other errors. */
function throwApiError(error: unknown): never {
  if (!(error instanceof BlobRefusedError)) throw error
  const { status, code, message, retryAfterSeconds } = error
  throw new ApiError(codes[status], message, {
    body: { error: { code, message } },
    ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  })
}

function multipart(deps: BlobStoreDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/blob/mpu',
    summary: 'Upload a staged file in parts',
    description:
      'The header x-mpu-action determines whether the request begins the upload, contains a part or completes it. A token uploads one file, of at most 100 MiB in all parts together.',
    headers: z.object({
      'x-mpu-action': z.enum(['create', 'upload', 'complete']),
      'x-mpu-key': z.string().optional().meta({ description: 'Key from the response to `create`, percent-encoded.' }),
      'x-mpu-upload-id': z.string().optional().meta({ description: 'Upload id from the response to `create`.' }),
      'x-mpu-part-number': z
        .int()
        .min(1)
        .max(1000)
        .optional()
        .meta({ description: 'Number of the part, for `upload`.' }),
    }),
    authorize: authorizeByToken(deps),
    responses: {
      200: z.union([blob, z.object({ uploadId: z.string(), key: z.string() }), z.object({ etag: z.string() })]),
    },
    errors: ['forbidden', 'not_found', 'payload_too_large', 'rate_limited', 'unavailable'],
    handle: async (request) => {
      try {
        return { status: 200, body: await handleMultipart(requireStore(deps), request) }
      } catch (error) {
        return throwApiError(error)
      }
    },
  })
}

/** Performs the action that the header `x-mpu-action` of a multipart request names. */
function handleMultipart(store: BuiltInStore, request: IncomingUpload) {
  const { headers } = request
  const ids = { uploadId: headers['x-mpu-upload-id'] ?? '', key: decodeKey(headers['x-mpu-key']) }
  switch (headers['x-mpu-action']) {
    case 'create':
      return store.createUpload(toUpload(request))
    case 'upload':
      return store.putPart(toUpload(request), { ...ids, partNumber: Number(headers['x-mpu-part-number']) })
    case 'complete':
      return store.completeUpload(toUpload(request), ids)
    default:
      throw new BlobRefusedError(400, 'bad_request', 'x-mpu-action must be create, upload or complete')
  }
}

function decodeKey(text: string | undefined): string {
  try {
    return decodeURIComponent(text ?? '')
  } catch {
    return ''
  }
}
