import { createClient } from '../../../client/index.ts'
import type { Credential } from './credential.ts'
import { ApiClientError, read } from './failure.ts'
import { withCredential } from './headers.ts'
import { apiOrigin } from './settings.ts'

/** Reads the account of a credential. Throws an error for the user if the credential is invalid. */
export async function identify(by: Credential['by']): Promise<Credential> {
  const client = createClient({
    baseUrl: apiOrigin,
    apiKey: '',
    fetch: (input) => fetch(withCredential(new Request(input), by)),
  })
  try {
    const { accountId, email, name, isAdmin } = await read(client.GET('/api/console/me'))
    return { accountId, email: email ?? name, isAdmin, by }
  } catch (error) {
    if (error instanceof ApiClientError && error.status === 401)
      throw new Error('This key or token is not valid.', { cause: error })
    throw error
  }
}
