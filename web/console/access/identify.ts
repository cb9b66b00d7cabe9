import { createApi } from './calls.ts'
import type { Credential } from './credential.ts'
import { ApiClientError } from './failure.ts'
import { withCredential } from './headers.ts'

/** Reads the account of a key or token. Throws an error with a user-facing message if it is invalid. */
export async function identify(secret: Credential['secret']): Promise<Credential> {
  const api = createApi((input) => fetch(withCredential(new Request(input), secret)))
  try {
    const { accountId, email, name, isAdmin } = await api.GET('/api/console/me')
    return { accountId, email: email ?? name, isAdmin, secret }
  } catch (error) {
    if (error instanceof ApiClientError && error.status === 401)
      throw new Error('This key or token is not valid.', { cause: error })
    throw error
  }
}
