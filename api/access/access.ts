import { findArtist, lockArtist, type ArtistRecord } from '../../db/artists/links.ts'
import type { Db, Tx } from '../../db/postgres/client.ts'
import { findRelation, isMember, canReachArtist } from '../../db/organizations/organizations.ts'
import type { Config } from '../../config.ts'
import { recordAuditAccount } from './audit.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

export type AccessDeps = { db: Db; config: Config }

/**
 * Returns the account that a request acts for, according to the override rule: a caller may act for its own account, for
 * people who share an organization with it and, with a key, for its organizations. A bearer token never acts for an
 * organization. An admin may act for any person and, with a key, for any organization. Throws 403 otherwise. A key with an
 * expiry acts only for its own account, unless the route declares `sharedReads`.
 */
export function resolveAccount(deps: AccessDeps, caller: Caller, accountId: string | undefined): Promise<string> {
  return requireAccess(deps, caller, accountId?.toLowerCase() ?? caller.accountId, caller.via === 'key')
}

/** Like `resolveAccount`, for routes that only read. There, a bearer token also acts for the caller's organizations. */
export function resolveReadable(deps: AccessDeps, caller: Caller, accountId: string): Promise<string> {
  return requireAccess(deps, caller, accountId.toLowerCase(), true)
}

/** Like `resolveAccount`, for a request that may also name an organization, to which the account must have access. */
export async function resolveWorkspace(
  deps: AccessDeps,
  caller: Caller,
  {
    account_id: accountId,
    organization_id: organizationId,
  }: { account_id?: string | undefined; organization_id?: string | undefined },
): Promise<string> {
  const account = await resolveAccount(deps, caller, accountId)
  if (organizationId !== undefined) await requireOrganization(deps, caller, account, organizationId)
  return account
}

/** Rejects keys with an expiry, such as the keys of runs, which must not create access or move money. */
export function rejectEphemeral({ ephemeral }: Caller): void {
  if (ephemeral) throw new ApiError('forbidden', 'A key with an expiry cannot be used for this request')
}

/** Like `resolveAccount`, but returns a boolean, for routes whose response must not distinguish forbidden from missing rows. */
export function mayActFor(deps: AccessDeps, caller: Caller, accountId: string): Promise<boolean> {
  return isAllowed(resolveAccount(deps, caller, accountId))
}

/** Returns a row of the caller or of an account that it may act for. Throws 404 for any other row, and if there is none. */
export async function requireAccessible<Row extends { accountId: string }>(
  deps: AccessDeps,
  caller: Caller,
  row: Row | undefined,
  name: string,
): Promise<Row> {
  if (row === undefined || !(await mayActFor(deps, caller, row.accountId))) throw notFound(name)
  return row
}

/** Like `resolveReadable`, but returns a boolean. */
export function mayRead(deps: AccessDeps, caller: Caller, accountId: string): Promise<boolean> {
  return isAllowed(resolveReadable(deps, caller, accountId))
}

/**
 * Throws 403 unless the caller is a member of the organization or an admin, and the effective account is the organization
 * or one of its members.
 */
export async function requireOrganization(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  organizationId: string,
): Promise<void> {
  const targetId = organizationId.toLowerCase()
  const relation = await findCallerRelation(deps, caller, targetId)
  const allowed =
    relation?.kind === 'organization' &&
    (relation.isMember || relation.isAdmin) &&
    (effectiveAccountId === targetId ||
      (effectiveAccountId === caller.accountId && relation.isMember) ||
      (await isMember(deps.db, effectiveAccountId, targetId)))
  if (!allowed) throw new ApiError('forbidden', 'Access denied to this organization')
}

/** True for a member of the admin organization. A key with an expiry never has admin rights. */
export async function isAdmin(deps: AccessDeps, caller: Caller): Promise<boolean> {
  return (await findCallerRelation(deps, caller, caller.accountId))?.isAdmin === true
}

/**
 * Throws 404 for an unknown organization, and 403 unless the caller is a member of the organization or an admin.
 */
export async function requireManager(deps: AccessDeps, caller: Caller, organizationId: string): Promise<void> {
  const relation = await findCallerRelation(deps, caller, organizationId.toLowerCase())
  if (relation?.kind !== 'organization') throw notFound('Organization')
  if (!relation.isMember && !relation.isAdmin) throw new ApiError('forbidden', 'Access denied to this organization')
}

/**
 * Throws 403 unless the artist is on the account's roster or attached to an organization in the account's owner set (the
 * account and its organizations), or the caller is an admin.
 */
export async function requireArtist(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  artistId: string,
): Promise<void> {
  const targetId = artistId.toLowerCase()
  if (await canReachArtist(deps.db, effectiveAccountId, targetId)) return
  const relation = await findCallerRelation(deps, caller, targetId)
  if (relation?.kind === 'artist' && relation.isAdmin) return
  throw artistDenied()
}

/** Locks the artist until the transaction ends, so that it cannot be deleted. Throws 403 if it has already been deleted. */
export async function lockArtistAgainstDelete(tx: Tx, artistId: string): Promise<void> {
  if ((await lockArtist(tx, artistId, 'keep')) === undefined) throw artistDenied()
}

/** Like `requireArtist`, but returns the artist, and throws 404 if the artist does not exist. */
export async function requireKnownArtist(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  artistId: string,
): Promise<ArtistRecord> {
  const artist = await findArtist(deps.db, artistId)
  if (artist === undefined) throw notFound('Artist')
  await requireArtist(deps, caller, effectiveAccountId, artistId)
  return artist
}

/** Like `requireKnownArtist`, but also throws 404 for an inaccessible artist, so that its existence is not revealed. */
export async function requireFindableArtist(deps: AccessDeps, caller: Caller, artistId: string): Promise<ArtistRecord> {
  try {
    return await requireKnownArtist(deps, caller, caller.accountId, artistId)
  } catch (error) {
    if (error instanceof ApiError) throw notFound('Artist')
    throw error
  }
}

/**
 * Throws 403 unless the workspace that added the profile link, or the workspace that created the artist, is in the owner set of
 * the account, or the caller is an admin.
 */
export async function requireLinkOwner(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  { artist, addedBy }: { artist: ArtistRecord; addedBy: string | null },
): Promise<void> {
  for (const workspaceId of [addedBy, artist.createdBy])
    if (
      workspaceId !== null &&
      (workspaceId === effectiveAccountId || (await isMember(deps.db, effectiveAccountId, workspaceId)))
    )
      return
  const relation = await findCallerRelation(deps, caller, artist.id)
  if (relation?.isAdmin !== true) throw new ApiError('forbidden', 'Access denied to this profile link')
}

async function requireAccess(
  deps: AccessDeps,
  caller: Caller,
  targetId: string,
  allowsOrganizations: boolean,
): Promise<string> {
  if (targetId !== caller.accountId) {
    // Checked before the lookup, so that the error does not reveal whether the account exists.
    if (caller.ephemeral && caller.sharedReads !== true)
      throw new ApiError('forbidden', 'A key with an expiry acts for its own account only')
    const relation = await findCallerRelation(deps, caller, targetId)
    const allowed =
      relation !== undefined &&
      ((relation.kind === 'person' && (relation.sharesOrganization || relation.isAdmin)) ||
        (relation.kind === 'organization' && allowsOrganizations && (relation.isMember || relation.isAdmin)))
    if (!allowed) throw new ApiError('forbidden', 'Access denied to this account')
  }
  recordAuditAccount(caller, targetId)
  return targetId
}

function findCallerRelation({ db, config }: AccessDeps, { accountId, ephemeral }: Caller, targetId: string) {
  const adminOrganizationId = ephemeral ? undefined : config.ADMIN_ORGANIZATION_ID
  return findRelation(db, { callerId: accountId, targetId, adminOrganizationId })
}

async function isAllowed(check: Promise<string>): Promise<boolean> {
  try {
    await check
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function artistDenied(): ApiError {
  return new ApiError('forbidden', 'Access denied to this artist')
}
