import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { listLiveSignIns } from '../../db/accounts/console-sign-ins.ts'
import { listLiveKeys } from '../../db/accounts/keys.ts'
import type { Listener } from '../../db/postgres/channels/listener.ts'
import { accessRevokedChannel } from '../../db/postgres/channels/names.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { Caller } from '../http/route.ts'
import { mayRead, type AccessDeps } from './access.ts'
import { lookupCacheTtlMs } from './auth.ts'

/** The long-lived responses of one process. Each is closed when the access of its caller ends. */
export type OpenResponses = {
  /** Starts to listen for revocations. Call it once, before the first response. */
  listen(): Promise<void>
  add(response: ServerResponse, caller: Caller): void
  close(): Promise<void>
}

/**
 * Creates the list of open responses. Rechecks the responses of an account when one of its keys or memberships is deleted, and
 * all responses every `recheckMs`, because a notification may be lost and bearer tokens expire without a notification.
 */
export function createOpenResponses(
  deps: AccessDeps & { db: Pool; log: Logger },
  { listener, recheckMs }: { listener: Pick<Listener, 'listen'>; recheckMs: number },
): OpenResponses {
  const callers = new Map<ServerResponse, Caller>()
  /** Accounts with a revocation so recent that a cached lookup may still accept the revoked credential. */
  const revokedAccounts = new Set<string>()

  const recheck = async (isAffected: (caller: Caller) => boolean): Promise<void> => {
    const responses = [...callers].filter(([, caller]) => isAffected(caller))
    if (responses.length === 0) return
    const hasAccess = await createAccessCheck(
      deps,
      responses.map(([, caller]) => caller),
    )
    for (const [response, caller] of responses) if (!(await hasAccess(caller))) response.destroy()
  }
  const recheckSafely = (isAffected: (caller: Caller) => boolean): void => {
    recheck(isAffected).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'failed to recheck access to open responses'),
    )
  }
  const onRevoked = (accountId: string): void => {
    revokedAccounts.add(accountId)
    setTimeout(() => revokedAccounts.delete(accountId), lookupCacheTtlMs).unref()
    recheckSafely((caller) => caller.accountId === accountId || getEffectiveAccountId(caller) === accountId)
  }
  const timer = setInterval(() => recheckSafely(() => true), recheckMs).unref()

  return {
    listen: () =>
      listener.listen(accessRevokedChannel, { onPayload: onRevoked, onListen: () => recheckSafely(() => true) }),
    add: (response, caller) => {
      if (response.destroyed) return
      callers.set(response, caller)
      response.once('close', () => callers.delete(response))
      if (revokedAccounts.has(caller.accountId) || revokedAccounts.has(getEffectiveAccountId(caller)))
        recheckSafely((other) => other === caller)
    },
    close: async () => clearInterval(timer),
  }
}

/** Returns a function that checks access, with one query each for all keys, all sign-ins and every pair of accounts. */
async function createAccessCheck(deps: AccessDeps, callers: readonly Caller[]) {
  const keyIds = new Set(callers.flatMap(({ keyId }) => keyId ?? []))
  const liveKeys = keyIds.size === 0 ? keyIds : await listLiveKeys(deps.db, [...keyIds])
  const signInIds = new Set(callers.flatMap(({ signInId }) => signInId ?? []))
  const liveSignIns = signInIds.size === 0 ? signInIds : await listLiveSignIns(deps.db, [...signInIds])
  const accessByPair = new Map<string, Promise<boolean>>()
  const hasAccountAccess = (caller: Caller): Promise<boolean> | boolean => {
    const effectiveId = getEffectiveAccountId(caller)
    if (effectiveId === caller.accountId) return true
    const pair = `${caller.accountId} ${effectiveId}`
    // Whether the key may use this route was checked when the response was opened.
    const access = accessByPair.get(pair) ?? mayRead(deps, { ...caller, sharedReads: true }, effectiveId)
    accessByPair.set(pair, access)
    return access
  }
  return async (caller: Caller): Promise<boolean> => {
    const { keyId, signInId, expiresAt } = caller
    if (expiresAt !== undefined && expiresAt.getTime() <= Date.now()) return false
    if (signInId !== undefined && !liveSignIns.has(signInId)) return false
    return (keyId === undefined || liveKeys.has(keyId)) && hasAccountAccess(caller)
  }
}

/** Returns the account whose data the response contains. */
function getEffectiveAccountId({ accountId, record }: Caller): string {
  return record?.effectiveAccountId ?? accountId
}
