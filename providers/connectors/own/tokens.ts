import { z } from 'zod'
import type { Grant, GrantChange } from '../../../domain/connectors/grant.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { disconnected } from '../index.ts'
import type { Authorization, Tokens } from './authorization.ts'
import type { Seal } from './seal.ts'

/** Store of grants. */
export type GrantStore = {
  insert(grant: Omit<Grant, 'state' | 'accountName'>): Promise<void>
  find(connectedAccountId: string): Promise<Grant | undefined>
  list(entityId: string): Promise<Grant[]>
  /** Reads and changes a grant under a lock across all processes. */
  change(
    connectedAccountId: string,
    work: (grant: Grant) => Promise<GrantChange | undefined>,
  ): Promise<Grant | undefined>
  delete(connectedAccountId: string): Promise<void>
}

/** Remaining validity below which a token is renewed. */
const renewalMarginMs = 60_000

const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
})

export function closeTokens(seal: Seal, id: string, tokens: Tokens): string {
  return seal.close(JSON.stringify(tokens), id)
}

/** Decrypts the tokens of a grant. Throws `unauthorized` if no secret of this server can decrypt it. */
export function openTokens(seal: Seal, grant: Grant): { tokens: Tokens; isOld: boolean } {
  const { text, isOld } = openGrant(seal, grant)
  const { accessToken, refreshToken, expiresAt } = tokensSchema.parse(JSON.parse(text))
  const tokens = {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  return { tokens, isOld }
}

function openGrant(seal: Seal, { sealed, connectedAccountId }: Grant): { text: string; isOld: boolean } {
  try {
    return seal.open(sealed, connectedAccountId)
  } catch {
    throw new ProviderError('unauthorized', 'the grant cannot be decrypted with the current or previous SERVER_SECRET')
  }
}

export type TokenSource = {
  /** Returns a valid token other than `rejected`, which the service rejected. Throws `declined` if there is none. */
  read(grant: Grant, rejected?: string): Promise<string>
}

/**
 * Creates a source of access tokens. It renews expired tokens with one request for all waiting calls and processes. If the
 * response is lost, the old tokens remain stored. If the server has already rotated them, the grant is lost.
 */
export function createTokens(
  { store, seal }: { store: GrantStore; seal: Seal },
  findAuthorization: (toolkit: string) => Authorization,
): TokenSource {
  const renewals = new Map<string, Promise<Grant | undefined>>()

  const renew = (id: string, rejected: string | undefined): Promise<Grant | undefined> => {
    const running = renewals.get(id)
    if (running !== undefined) return running
    const renewal = store.change(id, (grant) => renewGrant(grant, rejected)).finally(() => renewals.delete(id))
    renewals.set(id, renewal)
    return renewal
  }

  const renewGrant = async (grant: Grant, rejected: string | undefined): Promise<GrantChange | undefined> => {
    if (grant.state !== 'granted') return undefined
    const { connectedAccountId: id, toolkit } = grant
    const { tokens, isOld } = openTokens(seal, grant)
    // Another process has renewed the token.
    if (isUsable(tokens, rejected))
      return isOld ? { state: 'granted', sealed: closeTokens(seal, id, tokens) } : undefined
    const { refreshToken } = tokens
    if (refreshToken === undefined) return { state: 'lost', sealed: '' }
    try {
      const newTokens = await findAuthorization(toolkit).refresh({ ...tokens, refreshToken })
      return { state: 'granted', sealed: closeTokens(seal, id, newTokens) }
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'declined') return { state: 'lost', sealed: '' }
      throw error
    }
  }

  return {
    read: async (grant, rejected) => {
      if (grant.state !== 'granted') throw disconnectedError()
      const { tokens, isOld } = openTokens(seal, grant)
      if (isUsable(tokens, rejected) && !isOld) return tokens.accessToken
      const renewed = await renew(grant.connectedAccountId, rejected)
      if (renewed?.state !== 'granted') throw disconnectedError()
      return openTokens(seal, renewed).tokens.accessToken
    },
  }
}

function isUsable({ accessToken, expiresAt }: Tokens, rejected: string | undefined): boolean {
  return accessToken !== rejected && (expiresAt === undefined || expiresAt > Date.now() + renewalMarginMs)
}

function disconnectedError(): ProviderError {
  return new ProviderError('declined', 'the grant no longer exists', { code: disconnected })
}
