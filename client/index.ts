import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

type Schemas = components['schemas']
export type Session = Schemas['Session']
export type Chat = Schemas['Chat']
export type Message = Schemas['Message']
export type MessagePart = Schemas['MessagePart']

export type ClientOptions = {
  /** Where the API listens: `http://localhost:8787`. */
  baseUrl: string
  apiKey: string
  fetch?: typeof fetch
}

/** A client of the API: each path, parameter, body and answer has its type. An answer that is no success is in `error`. */
export const createClient = ({ baseUrl, apiKey, fetch }: ClientOptions): Client<paths> =>
  createFetchClient<paths>({ baseUrl, headers: { 'x-api-key': apiKey }, ...(fetch && { fetch }) })

export { createResumingFetch, StreamLostError } from './resuming-fetch.ts'
export type { ResumingFetchOptions } from './resuming-fetch.ts'
