import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

type Schemas = components['schemas']
export type Session = Schemas['Session']
export type Chat = Schemas['Chat']
export type Message = Schemas['Message']
export type MessagePart = Schemas['MessagePart']

export type ClientOptions = {
  /** URL of the API, for example `http://localhost:8787`. */
  baseUrl: string
  apiKey: string
  fetch?: typeof fetch
}

/** Creates a typed client of the API. The field `error` of a result contains the body of an unsuccessful response. */
export const createClient = ({ baseUrl, apiKey, fetch }: ClientOptions): Client<paths> =>
  createFetchClient<paths>({ baseUrl, headers: { 'x-api-key': apiKey }, ...(fetch && { fetch }) })

export { createResumingFetch, StreamLostError } from './resuming-fetch.ts'
export type { ResumingFetchOptions } from './resuming-fetch.ts'
