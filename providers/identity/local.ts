import { createPrivateKey, createPublicKey } from 'node:crypto'
import { createLocalJWKSet, SignJWT } from 'jose'
import { deploymentToken } from '../deployment-token.ts'
import type { IdentityPort, TokenIssuer } from './index.ts'
import { verifyToken, type TokenRules } from './token.ts'

const algorithm = 'EdDSA'
const lifetimeSeconds = 24 * 60 * 60

/** The bytes that precede the seed in an Ed25519 private key (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Creates the embedded issuer and the verifier of its tokens. The key is derived from the deployment's secret, so that every
 * API process accepts the tokens of all others, also after a restart.
 */
export function createLocalIdentity(
  serverSecret: string,
  rules: TokenRules,
): { identity: IdentityPort; issuer: TokenIssuer } {
  const seed = Buffer.from(deploymentToken(serverSecret, 'identity key'), 'base64url')
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'jwk' })
  const header = { alg: algorithm, kid: String(publicKey.x) }
  const keySet = { keys: [{ ...publicKey, ...header, kty: 'OKP' as const, use: 'sig' }] }
  const keys = createLocalJWKSet(keySet)
  const { issuer, audience = issuer } = rules
  return {
    identity: { verify: (token) => verifyToken(token, keys, rules) },
    issuer: {
      keySet,
      lifetimeSeconds,
      issue: (email, client) =>
        new SignJWT({ email, email_verified: true, azp: client?.clientId, nonce: client?.nonce ?? undefined })
          .setProtectedHeader(header)
          .setIssuer(issuer)
          .setAudience(client === undefined ? audience : [client.clientId, audience])
          .setSubject(email)
          .setIssuedAt()
          .setExpirationTime(`${lifetimeSeconds}s`)
          .sign(key),
    },
  }
}
