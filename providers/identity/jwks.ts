import { createLocalJWKSet, createRemoteJWKSet, customFetch } from 'jose'
import { createAllowance } from '../allowance.ts'
import { IdentityUnavailableError, type IdentityPort } from './index.ts'
import { verifyToken, type TokenRules } from './token.ts'

export type JwksOptions = TokenRules & { keysUrl: string; timeoutMs?: number }

/** Limit of the fetches for unknown key ids, because anyone can send a token with an invented key id. */
const fetchesPerMinute = 10
const minuteMs = 60_000
/** Pause after a failed fetch while the keys of an earlier fetch are still in use. */
const failurePauseMs = 60_000
/** Pause after a failed fetch while there are no keys. */
const firstFetchPauseMs = 1000

/**
 * Verifies tokens of an external issuer against its published key set (RFC 7517). An unknown key id causes
 * an immediate fetch, so that a token signed with a rotated key is valid on its first request. When the set cannot be
 * fetched, the last one still verifies tokens signed with its keys; all others throw `IdentityUnavailableError`.
 */
export function createJwksIdentity({ keysUrl, timeoutMs = 5000, ...rules }: JwksOptions): IdentityPort {
  const limit = createFetchLimit()
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    // The limiter below limits the fetches instead.
    cooldownDuration: 0,
    timeoutDuration: timeoutMs,
    [customFetch]: async (url, options) => {
      limit.take(keys.jwks() !== undefined)
      const response = await fetch(url, options)
      if (response.ok) limit.clearFailure()
      return response
    },
  })
  return {
    verify: async (token) => {
      try {
        return await verifyToken(token, keys, rules)
      } catch (cause) {
        const known = keys.jwks()
        const identity = known === undefined ? undefined : await verifyToken(token, createLocalJWKSet(known), rules)
        if (identity !== undefined) return identity
        throw new IdentityUnavailableError('the key set of the issuer could not be fetched', { cause })
      }
    },
  }
}

/** Limits the fetches of one key set. `take` throws `IdentityUnavailableError` when the next fetch must wait. */
function createFetchLimit() {
  const allowance = createAllowance(fetchesPerMinute, minuteMs)
  let fetchedAt = -Infinity
  let isFailing = false
  return {
    take: (hasKeys: boolean): void => {
      const now = Date.now()
      const pauseMs = hasKeys ? failurePauseMs : firstFetchPauseMs
      if (isFailing && now < fetchedAt + pauseMs)
        throw new IdentityUnavailableError('the key set of the issuer could not be fetched a moment ago')
      if (hasKeys && !allowance.take())
        throw new IdentityUnavailableError('the key set of the issuer was fetched too often within a minute')
      fetchedAt = now
      isFailing = true
    },
    clearFailure: (): void => {
      isFailing = false
    },
  }
}
