import { z } from 'zod'
import { createHandshakeResponse, isTokenRequest } from '../../../providers/blob/handshake.ts'
import type { BlobStoreDeps } from '../../staged-files/receive.ts'
import { ApiError } from '../../http/errors.ts'
import { kibibytes, route, type Route } from '../../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

const path = '/api/sandboxes/staged-file'
const signatureHeader = 'x-vercel-signature'
const failure = { code: 'not_done', message: 'Failed to issue upload token' } as const

export function uploadTokenRoute(deps: BlobStoreDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path,
    summary: 'Stage a file',
    description:
      "Endpoint for the client library of the blob store. Accepts a request for an upload token, or the store's signed notification that an upload is complete.",
    ownership: 'The token is valid for one path of the caller. The signature of a notification is verified.',
    envelope: 'plain',
    bodyLimit: kibibytes(64),
    rate: 'default',
    signedBy: signatureHeader,
    example: {
      type: 'blob.generate-client-token',
      payload: { pathname: 'cover.png', clientPayload: null, multipart: false },
    },
    body: z.record(z.string(), z.unknown()),
    invalidBody: failure,
    responses: { 200: z.record(z.string(), z.unknown()) },
    errors: ['unauthorized', 'not_done'],
    handle: async ({ caller, body, headers }) => {
      const accountId = caller.accountId === '' ? undefined : caller.accountId
      if (accountId === undefined && isTokenRequest(body)) throw new ApiError('unauthorized', 'Unauthorized')
      try {
        return {
          status: 200,
          body: await createHandshakeResponse(body, {
            blobs: deps.blobs,
            accountId,
            callbackUrl: `${deps.config.baseUrl}${path}`,
            signature: headers[signatureHeader],
          }),
        }
      } catch (error) {
        throw new ApiError(failure.code, failure.message, { cause: error })
      }
    },
  })
}
