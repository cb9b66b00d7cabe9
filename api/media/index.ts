import { z } from 'zod'
import { chooseDisposition, isStoreKey, type StoredObject, type StorePort } from '../../providers/store/index.ts'
import { ApiError } from '../http/errors.ts'
import { emptyResponse, route, streamedResponse, type Route } from '../http/route.ts'
import { isFresh, matchesIfRange, parseRange } from './range.ts'

/** Dependencies of the media routes. */
export type MediaDeps = { store: StorePort }

/** Returns the route that serves the files of the built-in store; an empty list if a vendor stores and serves them. */
export function mediaRoutes(deps: MediaDeps & { config: { BLOB_STORE: string } }): Route[] {
  return deps.config.BLOB_STORE === 'local' ? [file(deps)] : []
}

function file({ store }: MediaDeps): Route {
  return route({
    method: 'GET',
    path: '/media/{folder}/{name}',
    tag: { name: 'Media', description: 'Finished tracks, clips and images, for players.' },
    summary: 'Read a finished file',
    description:
      'Returns a rendered track, clip or image by its URL. Supports a single byte range, so that a player can seek.',
    auth: 'none',
    ownership: 'Anyone with the URL, which cannot be guessed.',
    envelope: 'plain',
    bodyLimit: 0,
    rate: 'default',
    params: z.object({ folder: z.string(), name: z.string() }),
    headers: z.object({
      range: z.string().optional().meta({ description: 'One range: `bytes=0-499`, `bytes=500-`, `bytes=-500`.' }),
      'if-range': z.string().optional(),
      'if-none-match': z.string().optional(),
      'if-modified-since': z.string().optional(),
    }),
    responses: {
      200: streamedResponse('*/*', 'The file.'),
      206: streamedResponse('*/*', 'The byte range that Content-Range states.'),
      304: emptyResponse("The client's copy is current."),
      416: emptyResponse('The range starts after the end of the file.'),
    },
    errors: ['not_found'],
    handle: async ({ params, headers }) => {
      const key = `${params.folder}/${params.name}`
      const object = isStoreKey(key) ? await store.open(key) : undefined
      if (object === undefined) throw notFound()
      const { size, etag, changedAt } = object
      const objectHeaders = buildHeaders(object, key)
      const range = matchesIfRange(headers['if-range'], etag, changedAt)
        ? parseRange(headers['range'], size)
        : undefined
      if (isFresh(headers, etag, changedAt)) {
        object.content.destroy()
        return { status: 304, headers: objectHeaders }
      }
      if (range === undefined)
        return { status: 200, headers: { ...objectHeaders, 'content-length': String(size) }, body: object.content }
      object.content.destroy()
      if (range === 'unsatisfiable')
        return { status: 416, headers: { ...objectHeaders, 'content-range': `bytes */${size}` } }
      const partialObject = await store.open(key, range)
      // The object was overwritten after the first read, so the range would not match the headers of that read.
      if (partialObject === undefined || partialObject.etag !== etag) {
        partialObject?.content.destroy()
        throw notFound()
      }
      const { first, last } = range
      const framing = { 'content-range': `bytes ${first}-${last}/${size}`, 'content-length': String(last - first + 1) }
      return { status: 206, headers: { ...objectHeaders, ...framing }, body: partialObject.content }
    },
  })
}

function notFound(): ApiError {
  return new ApiError('not_found', 'No such file')
}

function buildHeaders({ etag, contentType, changedAt }: StoredObject, key: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': `${chooseDisposition(contentType)}; filename="${key.split('/').at(-1) ?? ''}"`,
    'accept-ranges': 'bytes',
    'last-modified': changedAt.toUTCString(),
    // A key may be overwritten, so caches must revalidate.
    'cache-control': 'public, no-cache',
    'cross-origin-resource-policy': 'cross-origin',
    etag,
  }
}
