import type { components } from '../../../client/schema.ts'
import { createApi } from './calls.ts'
import { currentCredential, expireSignIn } from './credential.ts'
import { withCredential } from './headers.ts'
import { isRenewalDue, renew } from './sign-in/stay.ts'

/** Types of the API's resources. */
export type Schemas = components['schemas']

/** Client of the API with the credential of the signed-in account. */
export const api = createApi(fetchWithCredential)

/**
 * Sends a request with the credential of the signed-in account, and expires the sign-in if the API rejects the credential.
 * Without a sign-in, returns a 401 response and sends nothing.
 */
export async function fetchWithCredential(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const credential = currentCredential()
  if (credential === undefined) return Response.json({ error: 'Sign in again, then retry.' }, { status: 401 })
  if (isRenewalDue(credential)) await renew(credential)
  const retry = request.method === 'GET' ? request.clone() : undefined
  let response = await fetch(withCredential(request, credential.secret))
  if (response.status === 401 && retry !== undefined && (await renew(credential)))
    response = await fetch(withCredential(retry, credential.secret))
  if (response.status === 401 && currentCredential() === credential) expireSignIn()
  return response
}
