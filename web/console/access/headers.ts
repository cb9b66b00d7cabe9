import type { Credential } from './credential.ts'

/** Adds a credential to a request. */
export function withCredential(request: Request, by: Credential['by']): Request {
  request.headers.delete('x-api-key')
  if ('key' in by) request.headers.set('x-api-key', by.key)
  else request.headers.set('authorization', `Bearer ${by.bearer}`)
  return request
}
