import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { insertFile, recordBrokerKey } from '../../db/connectors/action-files.ts'
import { toEntityId } from '../../domain/connectors/connector.ts'
import { fileDescriptor, buildFileName, detectImageType } from '../../domain/connectors/action-files.ts'
import { actionFileBody } from '../../domain/connectors/request.ts'
import { parseUrl } from '../../domain/fields/url.ts'
import { EgressError } from '../../providers/egress/index.ts'
import { recordAuditObject } from '../access/audit.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Route } from '../http/route.ts'
import { lookUpAction } from './catalog.ts'
import { callBroker } from './errors.ts'
import {
  brokerCall,
  brokerTimeoutMs,
  ownership,
  resolvePayer,
  resolveEntity,
  routeDefaults,
  type ConnectorDeps,
} from './route-defaults.ts'

const maxBytes = 25_000_000
const fetchTimeoutMs = 30_000

/** Reasons of fetch failures that the caller can resolve by sending another URL. */
const urlReasons = new Set(['secure', 'url', 'address', 'closed', 'redirects', 'request', 'name'])

export function actionFileRoute(deps: ConnectorDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/connectors/files',
    summary: 'Store an image for an action',
    description:
      'Fetches a PNG, JPEG, GIF or WebP of at most 25 MB from a public HTTPS URL. For 24 hours, the response (without ' +
      '`success`) can be passed as a `file_uploadable` parameter of an action of the same connector.',
    ownership,
    rate: 'work',
    widensAccess: true,
    idempotent: 'before-validation',
    waitMs: fetchTimeoutMs + 2 * brokerTimeoutMs,
    example: { url: 'https://example.com/cover.png', actionSlug: 'TIKTOK_SHOW_IMAGE' },
    body: actionFileBody,
    responses: { 200: z.object({ success: z.literal(true), ...fileDescriptor.shape }) },
    errors: ['not_found', 'bad_gateway'],
    authorize: ({ caller, body }) => resolvePayer(deps, caller, body.account_id),
    handle: async ({ caller, body, requestId }) => {
      const url = parseUrl(body.url)
      if (url === undefined) throw badUrl('must be an absolute https URL')
      const entity = await resolveEntity(deps, caller, body.account_id)
      recordAuditObject(caller, body.actionSlug)
      const action = await lookUpAction(deps, entity, body.actionSlug)
      if (action === undefined) throw new ApiError('not_found', 'Action not found in any connector of the account')
      if (action.fileFields.length === 0)
        throw new ApiError('invalid_request', 'actionSlug must name an action that has a file parameter')
      const broker = deps.connectors.findBroker(action.toolkit)
      const bytes = await fetchImage(deps, body.url)
      const mimetype = detectImageType(bytes)
      if (mimetype === undefined) throw badUrl('must point to a PNG, JPEG, GIF or WebP image')
      const name = buildFileName(url, mimetype)
      const descriptor = { name, mimetype, key: `file_${randomBytes(18).toString('hex')}` }
      const plannedKey = broker?.planFile?.(mimetype)
      const file = { ...descriptor, brokerKey: plannedKey, bytes: bytes.length }
      if (!(await insertFile(deps.db, { ...entity, toolkit: action.toolkit }, file)))
        throw new ApiError(
          'rate_limited',
          'The action files of an account are limited to 1 GB; each is deleted within 25 hours',
          { retryAfter: 3600 },
        )
      const accountId = entity.workspaceId
      const input = { entityId: toEntityId(entity), accountId, action, name, mimetype, bytes, plannedKey }
      const staged = await callBroker(deps, 'take the file', async () =>
        broker?.storeFile(input, brokerCall(requestId)),
      )
      if (staged !== undefined && staged.key !== plannedKey) await recordBrokerKey(deps.db, descriptor.key, staged.key)
      return ok({ success: true, ...descriptor })
    },
  })
}

async function fetchImage({ files, store }: ConnectorDeps, url: string): Promise<Uint8Array> {
  const storeKey = store.parseKey(url)
  const stored = storeKey === undefined ? undefined : await store.open(storeKey)
  if (stored !== undefined) return readToEnd(stored.content as AsyncIterable<Uint8Array>)
  try {
    return await files.read(url, readToEnd)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (urlReasons.has(error.reason)) throw badUrl(`cannot be fetched: ${error.message}`)
    throw new ApiError('bad_gateway', 'The file could not be fetched')
  }
}

async function readToEnd(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxBytes) throw new ApiError('payload_too_large', 'The file exceeds 25 MB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function badUrl(rule: string): ApiError {
  return new ApiError('invalid_request', `url ${rule}`)
}
