import { createHash, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import {
  deleteResponse,
  findClaim,
  freeClaim,
  insertClaim,
  storeResponse,
  takeOverClaim,
  type ClaimedAt,
  type IdempotencyClaim,
  type IdempotencyRow,
} from '../../db/idempotency.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { isProcessDead } from '../../db/postgres/process-lock.ts'
import { ApiError } from './errors.ts'
import { isStreamedBody } from './answers/live.ts'
import type { Idempotency, StoredResponse } from './route.ts'

/** A request with an Idempotency-Key. A repeat must have the same method, path, query and bytes. */
export type KeyedRequest = {
  accountId: string
  /** Method and path pattern. */
  route: string
  key: string
  /** Fields that the error for a malformed key names. */
  keyFields: string[]
  method: string
  path: string
  query: string
  bytes: Buffer
}

const keyPattern = /^[\x21-\x7e]{1,255}$/
const maxAttempts = 5

/** Operations of a request without an Idempotency-Key, which store nothing. */
export const noIdempotency: Idempotency = {
  remember: (_, response) => Promise.resolve(response),
  forget: () => Promise.resolve(),
  effectId: () => randomUUID(),
}

/** Creates a function that runs the request of an Idempotency-Key once, and returns the stored response to repeats. */
export function createIdempotency({ db, processId, log }: { db: Pool; processId: number; log: Logger }) {
  // If a pending row of this process is not in this set, a failed write has left it, and no request works on it.
  const activeKeys = new Set<string>()

  /** Claims the key and returns the time of the claim. If the key has a stored response, returns its row instead. */
  const claimKey = async (claim: IdempotencyClaim): Promise<IdempotencyRow | ClaimedAt> => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const newClaim = await insertClaim(db, claim)
      if (newClaim !== undefined) return newClaim
      const row = await findClaim(db, claim)
      if (row === undefined) continue
      const isAbandoned = row.state === 'pending' && (row.holder === processId || (await isProcessDead(db, row.holder)))
      if (row.expired || isAbandoned) {
        const takenOverClaim = await takeOverClaim(db, claim, row)
        if (takenOverClaim !== undefined) return takenOverClaim
        continue
      }
      if (row.requestHash !== claim.requestHash) throw mismatch()
      if (row.state === 'pending') throw inProgress()
      return row
    }
    throw inProgress()
  }

  const readOwnResponse = async (claim: IdempotencyClaim): Promise<IdempotencyRow> => {
    const row = await findClaim(db, claim)
    if (row !== undefined && row.requestHash !== claim.requestHash) throw mismatch()
    if (row?.state !== 'done') throw inProgress()
    return row
  }

  const releaseClaim = async (claim: IdempotencyClaim): Promise<void> => {
    try {
      await freeClaim(db, claim)
    } catch (error) {
      log.warn({ err: error }, 'failed to release an idempotency key; its next use takes it over')
    }
  }

  const storeOrRelease = async (claim: IdempotencyClaim, response: StoredResponse): Promise<void> => {
    if (!isStorable(response)) return releaseClaim(claim)
    try {
      await storeResponse(db, claim, toRow(response))
    } catch (error) {
      // The effect is committed, so the response is sent; only its replay is lost.
      log.error({ err: error }, 'failed to store a response under its idempotency key')
    }
  }

  const runClaimed = async (
    claim: IdempotencyClaim,
    { claimedAt }: ClaimedAt,
    handle: (idempotency: Idempotency) => Promise<StoredResponse>,
  ): Promise<StoredResponse> => {
    let isStored = false
    const idempotency: Idempotency = {
      remember: async (tx, response) => {
        if (!(await storeResponse(tx, claim, toRow(response)))) throw inProgress()
        isStored = true
        return response
      },
      forget: (tx) => deleteResponse(tx, claim),
      effectId: () => deriveEffectId(claim, claimedAt),
    }
    try {
      const response = await handle(idempotency)
      if (!isStored) await storeOrRelease(claim, response)
      return response
    } catch (error) {
      await releaseClaim(claim)
      throw error
    }
  }

  return async (
    request: KeyedRequest,
    handle: (idempotency: Idempotency) => Promise<StoredResponse>,
  ): Promise<{ replayed: boolean; response: StoredResponse }> => {
    const { accountId, route, key, keyFields } = request
    if (!keyPattern.test(key))
      throw new ApiError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters', {
        missingFields: keyFields,
      })
    const claim = { accountId, route, key, requestHash: hashRequest(request), holder: processId }
    const id = `${accountId} ${route} ${key}`
    if (activeKeys.has(id)) return { replayed: true, response: toStoredResponse(await readOwnResponse(claim)) }
    activeKeys.add(id)
    try {
      const claimed = await claimKey(claim)
      if (!('claimedAt' in claimed)) return { replayed: true, response: toStoredResponse(claimed) }
      return { replayed: false, response: await runClaimed(claim, claimed, handle) }
    } finally {
      activeKeys.delete(id)
    }
  }
}

function mismatch(): ApiError {
  return new ApiError('idempotency_mismatch', 'Idempotency-Key was used for a different request')
}

function inProgress(): ApiError {
  return new ApiError('conflict', 'A request with this Idempotency-Key is in progress', { retryAfter: 1 })
}

function isStorable({ status, body }: StoredResponse): boolean {
  return status >= 200 && status < 300 && !isStreamedBody(body)
}

function toRow({ status, body, headers }: StoredResponse) {
  return {
    status,
    body: body === undefined ? null : JSON.stringify(body),
    headers: headers ?? {},
  }
}

/** Includes the time of the claim, because an expired key identifies another effect when it is used again. */
function deriveEffectId({ accountId, route, key }: IdempotencyClaim, claimedAt: string): string {
  const hex = createHash('sha256').update(`${accountId}\0${route}\0${key}\0${claimedAt}`).digest('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function hashRequest({ method, path, query, bytes }: KeyedRequest): string {
  return createHash('sha256').update(`${method}\0${path}\0${query}\0`).update(bytes).digest('hex')
}

function toStoredResponse({ status, body, headers }: IdempotencyRow): StoredResponse {
  return {
    status: status ?? 200,
    ...(body === null ? {} : { body: JSON.parse(body) as unknown }),
    headers: headers ?? {},
  }
}
