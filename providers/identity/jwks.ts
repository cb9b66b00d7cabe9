import { createLocalJWKSet, createRemoteJWKSet, customFetch } from 'jose'
import { createAllowance } from '../allowance.ts'
import { IdentityUnavailableError, type IdentityPort } from './index.ts'
import { verifyToken, type TokenRules } from './token.ts'

export type JwksOptions = TokenRules & { keysUrl: string; timeoutMs?: number }

/** Maximum number of fetches for unknown key ids per minute. Anyone can send a token with an unknown key id. */
const maxFetchesPerMinute = 10
const minuteMs = 60_000
/** Pause after a failed fetch if keys of an earlier fetch are available. */
const failurePauseMs = 60_000
/** Pause after a failed fetch if no keys are available. */
const firstFetchPauseMs = 1000

/**
 * Verifies tokens of an external issuer against its published key set (RFC 7517). An unknown key id causes an immediate fetch,
 * so that a token signed with a new key is accepted on its first request. If the key set cannot be fetched, tokens signed with
 * the last fetched keys are still verified. For all other tokens, `verify` throws `IdentityUnavailableError`.
 */
export function createJwksIdentity({ keysUrl, timeoutMs = 5000, ...rules }: JwksOptions): IdentityPort {
  const limit = createFetchLimit()
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    // `limit`, not the library, restricts the fetches.
    cooldownDuration: 0,
    timeoutDuration: timeoutMs,
    [customFetch]: async (url, options) => {
      limit.startFetch(keys.jwks() !== undefined)
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
        const lastKeys = keys.jwks()
        const identity =
          lastKeys === undefined ? undefined : await verifyToken(token, createLocalJWKSet(lastKeys), rules)
        if (identity !== undefined) return identity
        throw new IdentityUnavailableError('the key set of the issuer could not be fetched', { cause })
      }
    },
  }
}

/** Limits the fetches of a key set. `startFetch` throws `IdentityUnavailableError` if the next fetch must wait. */
function createFetchLimit() {
  const allowance = createAllowance(maxFetchesPerMinute, minuteMs)
  let fetchedAt = -Infinity
  let isFailing = false
  return {
    startFetch: (hasKeys: boolean): void => {
      const now = Date.now()
      const pauseMs = hasKeys ? failurePauseMs : firstFetchPauseMs
      if (isFailing && now < fetchedAt + pauseMs)
        throw new IdentityUnavailableError('the last fetch of the issuer key set failed; retrying soon')
      if (hasKeys && !allowance.take())
        throw new IdentityUnavailableError('the key set of the issuer was fetched too often in the last minute')
      fetchedAt = now
      isFailing = true
    },
    clearFailure: (): void => {
      isFailing = false
    },
  }
}
