import { createLocalJWKSet, createRemoteJWKSet, customFetch } from 'jose'
import { createAllowance } from '../allowance.ts'
import { IdentityUnavailable, type IdentityPort } from './index.ts'
import { verifyToken, type TokenRules } from './token.ts'

export type JwksOptions = TokenRules & { keysUrl: string; timeoutMs?: number }

/** Unknown key ids fetch at most so often: anyone can send a token with an invented one. */
const fetchesPerMinute = 10
const minuteMs = 60_000
/** After a failed fetch, while the keys of an earlier one still decide. */
const failurePauseMs = 60_000
/** After a failed fetch, while there are no keys at all. */
const firstFetchPauseMs = 1000

/**
 * Verifies tokens of an external issuer against its published key set (RFC 7517). A key id that the set lacks fetches the
 * set at once, so a token signed with a rotated key is valid with its first request. When the set cannot be fetched, the
 * last one still decides about tokens signed with its keys; `IdentityUnavailable` for all others.
 */
export function createJwksIdentity({ keysUrl, timeoutMs = 5000, ...rules }: JwksOptions): IdentityPort {
  const limit = createFetchLimit()
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    // The limit below bounds the fetches instead.
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
        throw new IdentityUnavailable('the key set of the issuer could not be fetched', { cause })
      }
    },
  }
}

/** Bounds the fetches of one key set. `take` throws `IdentityUnavailable` when the next fetch has to wait. */
function createFetchLimit() {
  const allowance = createAllowance(fetchesPerMinute, minuteMs)
  let fetchedAt = -Infinity
  let isFailing = false
  return {
    take: (hasKeys: boolean): void => {
      const now = Date.now()
      const pauseMs = hasKeys ? failurePauseMs : firstFetchPauseMs
      if (isFailing && now < fetchedAt + pauseMs)
        throw new IdentityUnavailable('the key set of the issuer could not be fetched a moment ago')
      if (hasKeys && !allowance.take())
        throw new IdentityUnavailable('the key set of the issuer was fetched too often within a minute')
      fetchedAt = now
      isFailing = true
    },
    clearFailure: (): void => {
      isFailing = false
    },
  }
}
