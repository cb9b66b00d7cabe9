import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Tx } from '../../db/postgres/client.ts'
import type { Origin } from '../../domain/runs/origin.ts'
import type { Envelope, ErrorCode } from './errors.ts'
import type { LiveBody } from './answers/live.ts'
import type { TakeBody } from './body/reader.ts'
import type { Holder } from './limits/shares.ts'

/** What the audit is told of a call on its way: the access rules say for whom it acts, handlers say on what. */
type CallRecord = { effectiveAccountId?: string; object?: string }

/** Who sent the request. Always a person account. */
export type Caller = {
  accountId: string
  via: 'key' | 'bearer'
  /** Set when the request was signed with an API key. */
  keyId?: string
  /** End of the credential, where it has one. */
  expiresAt?: Date | undefined
  /**
   * True for a key with an expiry, such as the key of a run: refused where a route `widensAccess`, and for every account
   * but its own unless the route declares `sharedReads`.
   */
  ephemeral: boolean
  /** Stored with the work that the request starts; says what that work inherits. */
  origin: Origin
  /** Set by the dispatcher on routes that declare `sharedReads`. */
  sharedReads?: true
  /** What the audit is told of this call. */
  record?: CallRecord
}

export function kibibytes(count: number): number {
  return count * 1024
}

export function mebibytes(count: number): number {
  return count * 1024 * 1024
}

/** What belongs together in the document, and what it is about. */
export type Tag = { name: string; description: string }

/** Marks a response whose body is not one JSON document. */
export type Streamed = { readonly streamed: string; readonly description: string }

export function streamed(mediaType: string, description: string): Streamed {
  return { streamed: mediaType, description }
}
/** Marks a response without a body. */
export type Empty = { readonly empty: true; readonly description: string }

export function empty(description: string): Empty {
  return { empty: true, description }
}

type Responses = Readonly<Record<number, z.ZodType | Streamed | Empty>>
type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T
type BodyOf<R> = R extends z.ZodType
  ? Frozen<z.input<R>>
  : R extends Streamed
    ? Readable | LiveBody | string | Buffer
    : undefined
export type Answer<R extends Responses> = {
  [S in keyof R & number]: { status: S; headers?: Record<string, string> } & (R[S] extends Empty
    ? { body?: undefined }
    : { body: BodyOf<R[S]> })
}[keyof R & number]

/** What a handler may say about the Idempotency-Key of its request. */
export type Idempotency = {
  /**
   * Stores the answer together with the effect, in the handler's own transaction. Does nothing without a key.
   * An answer that is not remembered here is stored right after the handler returns.
   */
  remember(tx: Tx, answer: StoredAnswer): Promise<void>
  /** Takes back what was remembered, in the transaction that takes the effect back. */
  forget(tx: Tx): Promise<void>
  /**
   * UUID that names the effect of this request: derived from caller, route and key, so that a repeat under the key charges
   * and starts nothing twice. A random one without a key.
   */
  effectId(): string
}

export type Request<P, Q, B> = {
  caller: Caller
  /** What the resources of this request count for. */
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
  /** For routes with `streamedBody` only: the body is still in it. */
  incoming: IncomingMessage
  /** For routes with `streamedBody`, whose handler says how it wants the body. */
  takeBody: TakeBody
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

export type RouteDefinition<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends Responses,
  A = Answer<R>,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI form: `/api/chat/{chatId}/stream`. */
  path: string
  tag: Tag
  summary: string
  description?: string
  /**
   * `key` refuses every Authorization header. `none` leaves `caller` without meaning and must not read it. With `basic`
   * the password is an API key: for programs that know nothing else. `optional`: without any credential `accountId` is
   * empty.
   */
  auth: 'key-or-bearer' | 'key' | 'none' | 'key-bearer-or-basic' | 'optional'
  /** Header of a signature that the handler verifies: a request with it needs no credential, and has an empty caller. */
  signedBy?: string
  /** One sentence: whose rows this route shows or changes. */
  ownership: string
  envelope: Envelope
  /** Bytes. */
  bodyLimit: number
  /**
   * `starts` routes share one lower limit, and so do `checkouts`, which count per network address where there is no
   * caller; `work` routes share one of the account that they work for, which `authorize` answers; `streams` also counts
   * open responses; `signup` and `anonymous` routes, which have no caller, count per network address.
   */
  rate: 'default' | 'starts' | 'work' | 'checkouts' | 'streams' | 'signup' | 'anonymous' | 'none'
  /**
   * Whether a call leaves a row in the audit. Unset: calls of a known caller with a method other than GET do. `successes`:
   * what is refused leaves none, since strangers could fill the audit with it.
   */
  audited?: boolean | 'successes'
  /**
   * Honours Idempotency-Key: after the access rules, or `before-fields`, where a repeat is answered before its fields and
   * the access of its caller are looked at.
   */
  idempotent?: true | 'before-fields'
  /**
   * What the call does outlasts its caller: it gives access or a credential, or moves money. A key with an expiry, which
   * ends with its run, gets 403 before the handler. As a function: whether this request does.
   */
  widensAccess?: boolean | ((request: Request<Parsed<P>, Parsed<Q>, Parsed<B>>) => boolean)
  /**
   * For GET: a key with an expiry reads here for every account that its owner may act for. On all other routes it acts
   * for its own account only.
   */
  sharedReads?: true
  /** Milliseconds that the route itself may wait for others, on top of the time that every request has. */
  waitMs?: number
  params?: P
  query?: Q
  body?: B
  /** A body as somebody could send it, for the document. */
  example?: Frozen<z.input<Extract<B, z.ZodType>>>
  /** Headers of the request that the handler reads itself, for the document. */
  headers?: z.ZodObject
  /** An empty body then means `{}`. */
  bodyOptional?: boolean
  /** The handler takes the body itself. The media type that it must have: every other one is 415. */
  streamedBody?: string
  /**
   * Of the embedded stack, for the people of this deployment: answers under its own host names only, to no form of another
   * site, and without CORS.
   */
  embedded?: true
  /** Headers that a browser may send besides those of every route. */
  allowHeaders?: string
  /** Replaces the 400 to a body that is not valid. */
  invalidBody?: { code: ErrorCode; message: string }
  /** What the body of a 400 has besides. */
  refusalMembers?: Record<string, null>
  /** By status, what errors of this route alone say besides; for the document. */
  errorMembers?: Readonly<Record<number, z.ZodRawShape>>
  responses: R
  /** Besides those that follow from the members above: `errorCodesOf` adds them in the document. */
  errors?: readonly ErrorCode[]
  /**
   * Access that must be refused before the idempotency key is looked at: override and organization rules. May answer the
   * effective account, or without a credential the account that its requests count for.
   */
  authorize?: (request: Request<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<string | void>
  handle: (request: Request<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<A>
  /** Answers a repeated Idempotency-Key from the stored body where the stored body is not the answer itself. */
  replay?: (stored: StoredAnswer, request: Request<Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<Answer<R>>
}

export type StoredAnswer = { status: number; body?: unknown; headers?: Record<string, string> }

/** A route after its types were checked: what the router, the dispatcher and the OpenAPI writer loop over. */
export type Route = Omit<
  RouteDefinition<z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined, Responses>,
  'widensAccess' | 'authorize' | 'handle' | 'replay'
> & {
  widensAccess?: boolean | ((request: Request<unknown, unknown, unknown>) => boolean)
  authorize?: (request: Request<unknown, unknown, unknown>) => Promise<string | void>
  handle: (request: Request<unknown, unknown, unknown>) => Promise<StoredAnswer>
  replay?: (stored: StoredAnswer, request: Request<unknown, unknown, unknown>) => Promise<StoredAnswer>
}

/** Declares one endpoint: its types, validation, access, limits, documentation and handler in one place. */
export function route<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  const R extends Responses = Responses,
  // Keeps the literals of a handler's answer: its status must be one of the declared ones.
  const A extends Answer<R> = Answer<R>,
>(
  definition: RouteDefinition<P, Q, B, R, A>,
  // The dispatcher calls a handler only with what the route's own schemas have parsed.
): Route {
  return definition as unknown as Route
}

/** Whether an answer may be a stream of events, which goes on for as long as its reader likes. */
export function isEventStream(route: Route): boolean {
  return Object.values(route.responses).some(
    (response) => 'streamed' in response && response.streamed === 'text/event-stream',
  )
}
