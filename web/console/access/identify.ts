import { createClient } from '../../../client/index.ts'
import { toHeaders } from './api.ts'
import type { Credential } from './credential.ts'
import { ApiFailure, read } from './failure.ts'
import { apiOrigin } from './settings.ts'

/** Account of a credential. Throws an error with a text for people if the credential is invalid. */
export async function identify(by: Credential['by']): Promise<Credential> {
  const asking = createClient({
    baseUrl: apiOrigin,
    apiKey: '',
    fetch: (input) => fetch(signed(new Request(input), by)),
  })
  try {
    const { accountId, email, name, isAdmin } = await read(asking.GET('/api/console/me'))
    return { accountId, email: email ?? name, isAdmin, by }
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401)
      throw new Error('The API does not know this credential.', { cause: error })
    throw error
  }
}

function signed(request: Request, by: Credential['by']): Request {
  request.headers.delete('x-api-key')
  for (const [name, value] of toHeaders({ by })) request.headers.set(name, value)
  return request
}
