import { createClient } from '../../../client/index.ts'
import { currentCredential, expireSignIn, type Credential } from './credential.ts'
import { apiOrigin } from './settings.ts'

/** The generated API client, with the credential of the signed-in account. */
export const api = createClient({ baseUrl: apiOrigin, apiKey: '', fetch: fetchSigned })

/** Adds the credential, and ends the sign-in when the API rejects it. Sends no request without a sign-in. */
export async function fetchSigned(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const credential = currentCredential()
  if (credential === undefined) return Response.json({ error: 'Sign in again, and this once more.' }, { status: 401 })
  request.headers.delete('x-api-key')
  for (const [name, value] of toHeaders(credential)) request.headers.set(name, value)
  const response = await fetch(request)
  if (response.status === 401 && currentCredential() === credential) expireSignIn()
  return response
}

export function toHeaders({ by }: Pick<Credential, 'by'>): [name: string, value: string][] {
  return 'key' in by ? [['x-api-key', by.key]] : [['authorization', `Bearer ${by.bearer}`]]
}
