import { createClient } from '../../../client/index.ts'
import { currentCredential, signOut, type Credential } from './credential.ts'
import { apiOrigin } from './settings.ts'

/** The API by the generated client, as whoever is signed in. */
export const api = createClient({ baseUrl: apiOrigin, apiKey: '', fetch: fetchSigned })

/** Adds the credential, and ends the sign-in when the API knows it no more. */
export async function fetchSigned(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const credential = currentCredential()
  request.headers.delete('x-api-key')
  if (credential !== undefined) for (const [name, value] of headersOf(credential)) request.headers.set(name, value)
  const response = await fetch(request)
  if (response.status === 401 && credential !== undefined && currentCredential() === credential)
    signOut('Your sign-in has ended. Sign in to go on where you were.')
  return response
}

export function headersOf({ by }: Pick<Credential, 'by'>): [name: string, value: string][] {
  return 'key' in by ? [['x-api-key', by.key]] : [['authorization', `Bearer ${by.bearer}`]]
}
