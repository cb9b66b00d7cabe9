import { createClient } from '../../../client/index.ts'
import { currentCredential, expireSignIn } from './credential.ts'
import { withCredential } from './headers.ts'
import { apiOrigin } from './settings.ts'
import { isRenewalDue, renew } from './sign-in/stay.ts'

/** The generated API client, with the credential of the signed-in account. */
export const api = createClient({ baseUrl: apiOrigin, apiKey: '', fetch: fetchSigned })

/** Adds the credential, and ends the sign-in when the API rejects it. Sends no request without a sign-in. */
export async function fetchSigned(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const credential = currentCredential()
  if (credential === undefined) return Response.json({ error: 'Sign in again, and this once more.' }, { status: 401 })
  if (isRenewalDue(credential)) await renew(credential)
  const again = request.method === 'GET' ? request.clone() : undefined
  let response = await fetch(withCredential(request, credential.by))
  if (response.status === 401 && again !== undefined && (await renew(credential)))
    response = await fetch(withCredential(again, credential.by))
  if (response.status === 401 && currentCredential() === credential) expireSignIn()
  return response
}
