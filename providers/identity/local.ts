import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type JWK,
  type JWTPayload,
} from 'jose'
import type { IdentityPort, TokenIssuer } from './index.ts'
import { verifyToken, type TokenRules } from './token.ts'

const algorithm = 'EdDSA'
const lifetimeSeconds = 24 * 60 * 60

/** Creates the embedded issuer and the verifier of its tokens. Stores the key in `folder`, so that tokens survive restarts. */
export async function createLocalIdentity(
  folder: string,
  rules: TokenRules,
): Promise<{ identity: IdentityPort; issuer: TokenIssuer }> {
  const key = await readOrCreateKey(folder)
  const { d: _private, ...publicKey } = key
  const keySet = { keys: [publicKey] }
  const keys = createLocalJWKSet(keySet)
  const signingKey = await importJWK(key, algorithm)
  const { issuer, audience = issuer } = rules
  const sign = (email: string, claims: JWTPayload, recipients: string | string[]): Promise<string> =>
    new SignJWT({ email, email_verified: true, ...claims })
      .setProtectedHeader({ alg: algorithm, kid: key.kid ?? '' })
      .setIssuer(issuer)
      .setAudience(recipients)
      .setSubject(email)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds}s`)
      .sign(signingKey)
  return {
    identity: { verify: (token) => verifyToken(token, keys, rules) },
    issuer: {
      keySet,
      lifetimeSeconds,
      issue: (email) => sign(email, {}, audience),
      issueIdToken: (email, { clientId, nonce }) =>
        sign(email, { azp: clientId, ...(nonce !== null && { nonce }) }, [clientId, audience]),
    },
  }
}

/** Reads or creates the key. Only one process can create the link, and no process reads a partial file. */
async function readOrCreateKey(folder: string): Promise<JWK> {
  const path = join(folder, 'identity-key.json')
  await mkdir(folder, { recursive: true })
  const draft = `${path}.${randomUUID()}`
  try {
    return JSON.parse(await readFile(path, 'utf8')) as JWK
  } catch (error) {
    if (!isErrorCode(error, 'ENOENT')) throw error
  }
  try {
    await writeFile(draft, JSON.stringify(await generateKey()), { mode: 0o600 })
    await link(draft, path)
  } catch (error) {
    if (!isErrorCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  return JSON.parse(await readFile(path, 'utf8')) as JWK
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function generateKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const key = await exportJWK(privateKey)
  return { ...key, alg: algorithm, use: 'sig', kid: await calculateJwkThumbprint(key) }
}
