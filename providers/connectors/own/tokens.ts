import { z } from 'zod'
import type { Grant, GrantChange } from '../../../domain/connectors/grant.ts'
import { ProviderError } from '../../fault.ts'
import { disconnected } from '../index.ts'
import type { Authorization, Tokens } from './authorization.ts'
import type { Seal } from './seal.ts'

/** Where grants are kept. */
export type GrantStore = {
  insert(grant: Omit<Grant, 'state' | 'accountName'>): Promise<void>
  find(connectedAccountId: string): Promise<Grant | undefined>
  list(entityId: string): Promise<Grant[]>
  /** Lets one caller of all processes at a time look at a grant and change it. */
  change(
    connectedAccountId: string,
    work: (grant: Grant) => Promise<GrantChange | undefined>,
  ): Promise<Grant | undefined>
  delete(connectedAccountId: string): Promise<void>
}

/** A token is renewed when it has less than this left. */
const marginMs = 60_000

const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
})

export function closeTokens(seal: Seal, id: string, tokens: Tokens): string {
  return seal.close(JSON.stringify(tokens), id)
}

/** Throws `unauthorized` for a grant that the secrets of this server do not open. */
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
    throw new ProviderError('unauthorized', 'a grant is not sealed with a secret of this server')
  }
}

export type TokenSource = {
  /** A token to call with; another one than `refused`, which the service did not take. `declined` when there is none. */
  read(grant: Grant, refused?: string): Promise<string>
}

/**
 * Renews tokens: however many calls wait, of however many processes, the authorization server is asked once. When its answer
 * is lost, the old tokens stay; if the server gave new ones nevertheless it refuses the old, and the grant is lost.
 */
export function createTokens(
  { store, seal }: { store: GrantStore; seal: Seal },
  findAuthorization: (toolkit: string) => Authorization,
): TokenSource {
  const renewing = new Map<string, Promise<Grant | undefined>>()

  const renew = (id: string, refused: string | undefined): Promise<Grant | undefined> => {
    const begun = renewing.get(id)
    if (begun !== undefined) return begun
    const renewal = store.change(id, (grant) => renewed(grant, refused)).finally(() => renewing.delete(id))
    renewing.set(id, renewal)
    return renewal
  }

  const renewed = async (grant: Grant, refused: string | undefined): Promise<GrantChange | undefined> => {
    if (grant.state !== 'granted') return undefined
    const { connectedAccountId: id, toolkit } = grant
    const { tokens, isOld } = openTokens(seal, grant)
    // Another process has renewed it.
    if (isGood(tokens, refused)) return isOld ? { state: 'granted', sealed: closeTokens(seal, id, tokens) } : undefined
    const { refreshToken } = tokens
    if (refreshToken === undefined) return { state: 'lost', sealed: '' }
    try {
      const fresh = await findAuthorization(toolkit).refresh({ ...tokens, refreshToken })
      return { state: 'granted', sealed: closeTokens(seal, id, fresh) }
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'declined') return { state: 'lost', sealed: '' }
      throw error
    }
  }

  return {
    read: async (grant, refused) => {
      if (grant.state !== 'granted') throw lost()
      const { tokens, isOld } = openTokens(seal, grant)
      if (isGood(tokens, refused) && !isOld) return tokens.accessToken
      const after = await renew(grant.connectedAccountId, refused)
      if (after?.state !== 'granted') throw lost()
      return openTokens(seal, after).tokens.accessToken
    },
  }
}

function isGood({ accessToken, expiresAt }: Tokens, refused: string | undefined): boolean {
  return accessToken !== refused && (expiresAt === undefined || expiresAt > Date.now() + marginMs)
}

function lost(): ProviderError {
  return new ProviderError('declined', 'the grant of the person is gone', { code: disconnected })
}
