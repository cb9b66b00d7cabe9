import type { RequestHeaders } from '../answers/headers.ts'
import type { createIntake } from '../body/intake.ts'
import { parseBody } from '../body/json.ts'
import type { ReadBody } from '../body/reader.ts'
import { createIdempotency, type KeyedRequest } from '../idempotency.ts'
import type { createRates } from '../limits/rates.ts'
import { readFields, replaceBodyError } from '../request-fields.ts'
import { createRequest } from '../route-request.ts'
import type { Caller, StoredResponse, Holder, Request } from '../route.ts'
import { validate } from '../validate.ts'
import type { Exchange, MatchedRequest } from './exchange.ts'
import type { DispatchPorts } from './ports.ts'

type HandleDeps = Pick<DispatchPorts, 'db' | 'log' | 'processId' | 'access'> & {
  rates: ReturnType<typeof createRates>
  intake: ReturnType<typeof createIntake<Exchange>>
  readHolder: (matched: MatchedRequest) => Holder
}
type AnyRequest = Request<unknown, unknown, unknown>
type Body = { bytes: Buffer; value: unknown }
/** Checks the fields and access of the request on the first call, and returns the request. */
type CheckRequest = () => Promise<AnyRequest>

const emptyBody: Body = { bytes: Buffer.alloc(0), value: {} }

/** Returns the step that reads a request, checks its fields and access, and runs the handler under its idempotency key. */
export function createHandle(deps: HandleDeps) {
  const { intake, access, rates, readHolder } = deps
  const runOnce = createIdempotency(deps)

  const readRequestBody = async ({ ctx, route, slot }: MatchedRequest, readBody: ReadBody): Promise<Body> => {
    if (route.method === 'GET') return emptyBody
    if (route.streamedBody !== undefined) {
      intake.stream(ctx, slot)
      return emptyBody
    }
    try {
      const bytes = await readBody({ limit: route.bodyLimit, mayBeEmpty: true }).buffer()
      return bytes.length === 0 ? emptyBody : { bytes, value: parseBody(bytes) }
    } catch (error) {
      throw replaceBodyError(route, error)
    }
  }

  const checkAccess = async ({ ctx, route }: MatchedRequest, request: AnyRequest): Promise<void> => {
    const { caller } = request
    if (typeof route.widensAccess === 'function' && route.widensAccess(request)) access.rejectEphemeral(caller)
    const payerId = await route.authorize?.(request)
    if (route.rate === 'work') await rates.countWork(payerId ?? caller.accountId, ctx.state)
    // The account of a signed request is not known before `authorize`.
    else if (route.auth === 'none' && typeof payerId === 'string')
      await rates.countRequest(route.rate, payerId, ctx.state)
  }

  const handleKeyed = async (
    { route }: MatchedRequest,
    keyed: KeyedRequest,
    checkRequest: CheckRequest,
  ): Promise<StoredResponse> => {
    const { replayed, response } = await runOnce(keyed, async (idempotency) => {
      const request = await checkRequest()
      request.idempotency = idempotency
      return route.handle(request)
    })
    if (!replayed) return response
    const replay = route.replay === undefined ? response : await route.replay(response, await checkRequest())
    return { ...replay, headers: { ...replay.headers, 'idempotency-replayed': 'true' } }
  }

  return async (matched: MatchedRequest, caller: Caller): Promise<StoredResponse> => {
    const { ctx, route, pathParams, slot } = matched
    const params = route.params && validate(route.params, pathParams, 'params')
    const readBody = intake.reader(ctx, slot, route.streamedBody ?? 'application/json')
    const requestBody = await readRequestBody(matched, readBody)
    const checkRequest = once(async () => {
      const { body, query } = readFields(route, ctx.querystring, requestBody.value)
      const request = createRequest(ctx, { caller, holder: readHolder(matched), params, body, query, readBody })
      await checkAccess(matched, request)
      return request
    })
    if (route.idempotent !== 'before-validation') await checkRequest()
    const keyed = readKey(matched, caller, requestBody.bytes)
    return keyed === undefined ? route.handle(await checkRequest()) : handleKeyed(matched, keyed, checkRequest)
  }
}

/** Returns undefined without a key, and for an anonymous request, because keys are stored per account. */
function readKey({ ctx, route }: MatchedRequest, { accountId }: Caller, bytes: Buffer): KeyedRequest | undefined {
  const key = (ctx.headers as RequestHeaders)['idempotency-key']
  if (route.idempotent === undefined || accountId === '' || key === undefined) return undefined
  const { method, path, querystring: query } = ctx
  const keyFields = route.idempotent === 'before-validation' ? [] : ['Idempotency-Key']
  return { accountId, route: `${route.method} ${route.path}`, key, keyFields, method, path, query, bytes }
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= run())
}
