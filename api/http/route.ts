import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Tx } from '../../db/postgres/client.ts'
import type { Origin } from '../../domain/runs/origin.ts'
import type { Envelope, ErrorCode } from './errors.ts'
import type { LiveBody } from './answers/live.ts'
import type { ReadBody } from './body/reader.ts'

/** Data of a call for the audit. The access rules set the account, and handlers set the object. */
type CallRecord = { effectiveAccountId?: string; object?: string }

/** The caller and the network address whose shares the use of a resource counts towards. */
export type Holder = { callerKey: string; address: string }

/** The authenticated caller. Its account is always a person. */
export type Caller = {
  accountId: string
  via: 'key' | 'bearer'
  /** Set when the request was signed with an API key. */
  keyId?: string
  /** Set for a bearer token that the console received in exchange for its cookie. */
  signInId?: string
  /** Expiry of the credential, if any. */
  expiresAt?: Date | undefined
  /**
   * True for a key with an expiry, such as the key of a run. Such a key is rejected where a route `widensAccess`, and for every
   * account except its own unless the route declares `sharedReads`.
   */
  ephemeral: boolean
  /** Stored with the work that the request starts. Determines what the work inherits. */
  origin: Origin
  /** Set by the dispatcher on routes that declare `sharedReads`. */
  sharedReads?: true
  /** Data of this call for the audit. */
  record?: CallRecord
}

export function kibibytes(count: number): number {
  return count * 1024
}

export function mebibytes(count: number): number {
  return count * 1024 * 1024
}

/** Declarations that most routes share. */
export const standardRoute = {
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const

/** A group of routes in the OpenAPI document, and its description. */
export type Tag = { name: string; description: string }

/** Declares a response whose body is not a JSON document. `streamed`: its media type. */
export type StreamedResponse = { readonly streamed: string; readonly description: string }

export function streamedResponse(mediaType: string, description: string): StreamedResponse {
  return { streamed: mediaType, description }
}
/** Declares a response without a body. */
export type EmptyResponse = { readonly empty: true; readonly description: string }

export function emptyResponse(description: string): EmptyResponse {
  return { empty: true, description }
}

type Responses = Readonly<Record<number, z.ZodType | StreamedResponse | EmptyResponse>>
type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T
type BodyOf<R> = R extends z.ZodType
  ? DeepReadonly<z.input<R>>
  : R extends StreamedResponse
    ? Readable | LiveBody | string | Buffer
    : undefined
export type RouteResponse<R extends Responses> = {
  [S in keyof R & number]: { status: S; headers?: Record<string, string> } & (R[S] extends EmptyResponse
    ? { body?: undefined }
    : { body: BodyOf<R[S]> })
}[keyof R & number]

/** Operations of a handler on the Idempotency-Key of its request. */
export type Idempotency = {
  /**
   * Stores the response together with the effect, in the handler's own transaction, and returns it. Stores nothing without a
   * key. A response that is not stored here is stored right after the handler returns.
   */
  remember<R extends StoredResponse>(tx: Tx, response: R): Promise<R>
  /** Deletes the stored response, in the transaction that reverts the effect. */
  forget(tx: Tx): Promise<void>
  /**
   * Returns the UUID of the request's effect, which is derived from the caller, the route and the key, so that a repeat under
   * the key neither charges nor starts anything twice. Returns a random UUID without a key.
   */
  effectId(): string
}

export type Request<P, Q, B> = {
  caller: Caller
  /** The holder whose shares this request uses. */
  holder: Holder
  params: P
  query: Q
  body: B
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  requestId: string
  idempotency: Idempotency
  /** Aborts when the client's connection closes. */
  closed: AbortSignal
  /** Only for routes with `streamedBody`: the request with its unread body. */
  incoming: IncomingMessage
  /** Only for routes with `streamedBody`, whose handler chooses how to read the body. */
  readBody: ReadBody
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

export type RouteDefinition<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends Responses,
  A = RouteResponse<R>,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI form: `/api/chat/{chatId}/stream`. */
  path: string
  tag: Tag
  summary: string
  description?: string
  /**
   * `key` rejects every Authorization header. With `none`, `caller` has no meaning and must not be read. With `basic`, the
   * password is an API key, for clients that support only Basic. `optional`: without a credential, `accountId` is empty.
   */
  auth: 'key-or-bearer' | 'key' | 'none' | 'key-bearer-or-basic' | 'optional'
  /** Header of a signature that the handler verifies. A request with it needs no credential and has an empty caller. */
  signedBy?: string
  /** One sentence: whose rows this route reads or changes. */
  ownership: string
  envelope: Envelope
  /** Maximum bytes of the body. */
  bodyLimit: number
  /**
   * Rate limit of the route. `starts` and `checkouts` each have a lower limit in addition to the default limit. `checkouts`
   * counts requests without a caller per network address. `work` has a limit for the account that `authorize` returns.
   * `streams` also limits open responses. `signup` and `anonymous`, which have no caller, count per network address.
   */
  rate: 'default' | 'starts' | 'work' | 'checkouts' | 'streams' | 'signup' | 'anonymous' | 'none'
  /**
   * Whether a call is audited. Default: calls of an authenticated caller with a method other than GET. `successes`: rejected
   * calls are not audited, because other accounts could otherwise fill the audit.
   */
  audited?: boolean | 'successes'
  /**
   * Supports Idempotency-Key, which is checked after the access rules. `before-validation`: a repeat returns the stored
   * response before its fields and the access of its caller are checked.
   */
  idempotent?: true | 'before-validation'
  /**
   * True if the call grants access, creates a credential or moves money, so that its effect outlasts a key with an expiry.
   * Such a key gets 403 before the handler runs. A function decides for each request.
   */
  widensAccess?: boolean | ((request: Request<Parsed<P>, Parsed<Q>, Parsed<B>>) => boolean)
  /**
   * For GET: a key with an expiry can read for every account that its owner may act for. On other routes, such a key acts
   * only for its own account.
   */
  sharedReads?: true
  /** Milliseconds that the route may wait for other services, in addition to the request timeout. */
  waitMs?: number
  params?: P
  query?: Q
  body?: B
  /** An example body for the OpenAPI document. */
  example?: DeepReadonly<z.input<Extract<B, z.ZodType>>>
  /** Additional request headers that the handler reads, for the OpenAPI document. */
  headers?: z.ZodObject
  /** True if an empty body is equivalent to `{}`. */
  bodyOptional?: boolean
  /** Required media type of a body that the handler reads. Any other type gives 415. */
  streamedBody?: string
  /**
   * A route of the embedded stack, for the developers of this deployment. It is served only under the host names of the
   * deployment and without CORS, and rejects cross-site forms.
   */
  embedded?: true
  /** Additional headers that a browser may send. */
  allowHeaders?: string
  /** Replaces the 400 for an invalid body. */
  invalidBody?: { code: ErrorCode; message: string }
  /** Additional fields in the body of a 400. */
  errorFields?: Record<string, null>
  /** Additional fields of this route's errors by status, for the OpenAPI document. */
  errorFieldsByStatus?: Readonly<Record<number, z.ZodRawShape>>
  responses: R
  /** Error codes in addition to those that follow from the fields above, which `listErrorCodes` adds. */
  errors?: readonly ErrorCode[]
  /**
   * Checks access, such as the override and organization rules. May return the effective account; for a request with a
   * signature instead of a credential, this is the account whose rate limit applies.
   */
  authorize?: (request: Request<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<string | void>
  handle: (request: Request<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<A>
  /** Builds the response to a repeated Idempotency-Key from the stored response. Default: the stored response. */
  replay?: (stored: StoredResponse, request: Request<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<RouteResponse<R>>
}

export type StoredResponse = { status: number; body?: unknown; headers?: Record<string, string> }

/** A route without its type parameters, for the router, the dispatcher and the OpenAPI writer. */
export type Route = Omit<
  RouteDefinition<z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined, Responses>,
  'widensAccess' | 'authorize' | 'handle' | 'replay'
> & {
  widensAccess?: boolean | ((request: Request<unknown, unknown, unknown>) => boolean)
  authorize?: (request: Request<unknown, unknown, unknown>) => Promise<string | void>
  handle: (request: Request<unknown, unknown, unknown>) => Promise<StoredResponse>
  replay?: (stored: StoredResponse, request: Request<unknown, unknown, unknown>) => Promise<StoredResponse>
}

/** Declares one endpoint: its types, validation, access, limits, documentation and handler in one place. */
export function route<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  const R extends Responses = Responses,
  // Keeps the literal types of a handler's response, so that its status must be a declared status.
  const A extends RouteResponse<R> = RouteResponse<R>,
>(
  definition: RouteDefinition<P, Q, B, R, A>,
  // The dispatcher calls a handler only with values that the route's own schemas have parsed.
): Route {
  return definition as unknown as Route
}

/** Returns a 200 with this body. */
export function ok<const B>(body: B) {
  return { status: 200 as const, body }
}

/** Returns a 200 whose body has these fields and `status: 'success'`. */
export function success<const F extends object>(fields: F) {
  return ok({ status: 'success' as const, ...fields })
}

/** Returns a 201 for the resource at this path. The body has these fields and `status: 'success'`. */
export function created<const F extends object>(location: string, fields: F) {
  return { ...success(fields), status: 201 as const, headers: { location } }
}

/** True if a response may be an event stream, which stays open until its reader disconnects. */
export function isEventStream(route: Route): boolean {
  return Object.values(route.responses).some(
    (response) => 'streamed' in response && response.streamed === 'text/event-stream',
  )
}
