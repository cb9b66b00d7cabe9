import { parsePathAccount, accountPrefix, maxBlobBytes } from '../index.ts'
import { verifyClientToken, type ClientToken } from './client-token.ts'
import { badToken, expiredToken, pathMismatch, tooLarge } from './refusal.ts'
import type { Upload, UploadRequest } from './protocol.ts'

/** Checks of upload tokens, which `readWriteToken` signs. */
export function createAdmission(readWriteToken: string) {
  const verify = (token: string | undefined): ClientToken | undefined =>
    token === undefined ? undefined : verifyClientToken(token, readWriteToken)
  return {
    /** Returns the account of a token, even if the token has expired; undefined for a token of another store. */
    findTokenAccount: (token: string | undefined): string | undefined => {
      const payload = verify(token)
      return payload && parsePathAccount(payload.pathname)
    },

    /** Checks the signature, lifetime, path and size limit of an upload's token. Throws `BlobRefusedError`. */
    admit: (request: UploadRequest): Upload => {
      const token = verify(request.token)
      const accountId = token && parsePathAccount(token.pathname)
      if (request.token === undefined || token === undefined || accountId === undefined) throw badToken()
      if (token.validUntil <= Date.now()) throw expiredToken()
      if (!isTokenPath(request.pathname, token)) throw pathMismatch()
      const maxBytes = Math.min(token.maximumSizeInBytes ?? maxBlobBytes, maxBlobBytes)
      if ((request.length ?? 0) > maxBytes) throw tooLarge(maxBytes)
      return { token, tokenText: request.token, accountId, request, maxBytes }
    },
  }
}

/** Returns whether a token allows this path. A client may omit the prefix of its account. */
function isTokenPath(pathname: string, token: ClientToken): boolean {
  const account = parsePathAccount(token.pathname)
  return account !== undefined && (pathname === token.pathname || accountPrefix(account) + pathname === token.pathname)
}
