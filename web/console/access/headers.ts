import type { Credential } from './credential.ts'

/** Adds a credential to a request. */
export function withCredential(request: Request, secret: Credential['secret']): Request {
  request.headers.delete('x-api-key')
  if ('key' in secret) request.headers.set('x-api-key', secret.key)
  else request.headers.set('authorization', `Bearer ${secret.bearer}`)
  return request
}
