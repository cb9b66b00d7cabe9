import type {
  ClientPathsWithMethod,
  MethodResponse,
  ParamsOption,
  RequestBodyOption,
  RequestOptions,
} from 'openapi-fetch'
import { createClient } from '../../../client/index.ts'
import type { paths } from '../../../client/schema.ts'
import { ApiClientError } from './failure.ts'
import { apiOrigin } from './settings.ts'

type Client = ReturnType<typeof createClient>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Operation<M extends Method, P extends keyof paths> = paths[P] extends Record<M, infer O> ? O : never

export type Path<M extends Method> = ClientPathsWithMethod<Client, M>

/** Response body of a successful call. */
export type Data<M extends Method, P extends Path<M>> = MethodResponse<Client, M, P>

/** Path, query and header parameters of a call, and its body. */
export type Input<M extends Method, P extends Path<M>> = NonNullable<ParamsOption<Operation<M, P>>['params']> &
  RequestBodyOption<Operation<M, P>> &
  Pick<RequestOptions<Operation<M, P>>, 'bodySerializer' | 'headers' | 'parseAs'>

type Arguments<T> = object extends T ? [input?: T] : [input: T]
type Call<M extends Method> = <P extends Path<M>>(path: P, ...input: Arguments<Input<M, P>>) => Promise<Data<M, P>>
type Api = { GET: Call<'get'>; POST: Call<'post'>; PUT: Call<'put'>; PATCH: Call<'patch'>; DELETE: Call<'delete'> }

type Send = (
  method: Method,
  url: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>
type AnyInput = { path?: unknown; query?: unknown; header?: unknown }

/**
 * Creates a client of the API whose methods return the response body, and throw `ApiClientError` if the call was not
 * successful. `send`: sends the requests, by default without a credential.
 */
export function createApi(send?: typeof fetch): Api {
  const request = createClient({ baseUrl: apiOrigin, apiKey: '', ...(send && { fetch: send }) }).request as Send
  const createCall =
    (method: Method) =>
    async (url: string, { path, query, header, ...init }: AnyInput = {}): Promise<unknown> => {
      const { data, error, response } = await request(method, url, { params: { path, query, header }, ...init })
      if (!response.ok) throw new ApiClientError(response.status, error, response.headers)
      return data
    }
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
  return Object.fromEntries(methods.map((method) => [method.toUpperCase(), createCall(method)])) as Api
}
