import { jwtVerify, SignJWT } from 'jose'
import { deploymentToken } from '../deployment-token.ts'
import { isInvalidTokenError } from './token.ts'

const prefix = 'cs_'
const purpose = 'console bearer'
const algorithm = 'HS256'

/** Lifetime of a token. It is short, because the console renews its token with its cookie. */
export const consoleBearerSeconds = 15 * 60

/** Content of a bearer token of the console. */
export type ConsoleBearer = { signInId: string; expiresAt: Date }

/** True for a token that `issueConsoleBearer` may have created; the tokens of issuers have no prefix. */
export function isConsoleBearer(token: string): boolean {
  return token.startsWith(prefix)
}

/** Creates a bearer token of a sign-in for `consoleBearerSeconds`. */
export async function issueConsoleBearer(serverSecret: string, signInId: string): Promise<string> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: algorithm })
    .setSubject(signInId)
    .setExpirationTime(`${consoleBearerSeconds}s`)
    .sign(signingKey(serverSecret))
  return prefix + token
}

/** Returns the content of a token; undefined if it is invalid or expired. */
export async function verifyConsoleBearer(serverSecret: string, token: string): Promise<ConsoleBearer | undefined> {
  try {
    const { payload } = await jwtVerify(token.slice(prefix.length), signingKey(serverSecret), {
      algorithms: [algorithm],
      requiredClaims: ['sub', 'exp'],
    })
    return { signInId: payload.sub ?? '', expiresAt: new Date((payload.exp ?? 0) * 1000) }
  } catch (error) {
    if (isInvalidTokenError(error)) return undefined
    throw error
  }
}

function signingKey(serverSecret: string): Buffer {
  return Buffer.from(deploymentToken(serverSecret, purpose), 'base64url')
}
