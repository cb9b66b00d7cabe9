import { createLocalJWKSet, createRemoteJWKSet, customFetch } from 'jose'
import { IdentityUnavailable, type IdentityPort } from './index.ts'
import { verifyToken, type TokenRules } from './token.ts'

export type JwksOptions = TokenRules & { keysUrl: string; timeoutMs?: number }

const refetchPauseMs = 60_000
const firstFetchPauseMs = 1000

/** Tokens of an outside issuer. An unknown key id refetches the key set at most once a minute. */
export function createJwksIdentity({ keysUrl, timeoutMs = 5000, ...rules }: JwksOptions): IdentityPort {
  let lastFetchAt = -Infinity
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    cooldownDuration: refetchPauseMs,
    timeoutDuration: timeoutMs,
    // jose counts the pause from the last success; an issuer that is away must not be asked for each token either.
    [customFetch]: (url, options) => {
      const pauseMs = keys.jwks() === undefined ? firstFetchPauseMs : refetchPauseMs
      if (Date.now() < lastFetchAt + pauseMs) throw new IdentityUnavailable('the issuer was asked a moment ago')
      lastFetchAt = Date.now()
      return fetch(url, options)
    },
  })
  return {
    verify: async (token) => {
      try {
        return await verifyToken(token, keys, rules)
      } catch (cause) {
        // The issuer is away: the keys that it gave last still decide about the tokens that they signed.
        const known = keys.jwks()
        const identity = known === undefined ? undefined : await verifyToken(token, createLocalJWKSet(known), rules)
        if (identity !== undefined) return identity
        throw new IdentityUnavailable('the issuer did not give its keys', { cause })
      }
    },
  }
}
