import { findArtist, lockArtist, type ArtistRecord } from '../../db/artists/links.ts'
import type { Db, Tx } from '../../db/postgres/client.ts'
import { findRelation, isMember, canReachArtist } from '../../db/organizations/organizations.ts'
import { noteAccount } from './audit.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

export type AccessDeps = { db: Db; config: ApiDeps['config'] }

/**
 * The override rule: returns the account that a request acts for. Allowed are the caller's own account, people who share an
 * organization with the caller and, with a key, organizations of the caller; a bearer token never acts for an organization. An
 * admin may act for any person and, with a key, for any organization. Throws 403 otherwise. A key with an expiry acts only for
 * its own account, unless the route declares `sharedReads`.
 */
export function resolveAccount(deps: AccessDeps, caller: Caller, accountId: string | undefined): Promise<string> {
  return requireReach(deps, caller, accountId?.toLowerCase() ?? caller.accountId, caller.via === 'key')
}

/** The override rule for a GET of `/api/accounts/{id}`, where a bearer token can also read the caller's organizations. */
export function resolveReadable(deps: AccessDeps, caller: Caller, accountId: string): Promise<string> {
  return requireReach(deps, caller, accountId.toLowerCase(), true)
}

/** Rejects keys with an expiry, such as the keys of runs, which must not create access or move money. */
export function rejectEphemeral({ ephemeral }: Caller): void {
  if (ephemeral) throw new ApiError('forbidden', 'A key with an expiry may not do this')
}

/** The override rule as a predicate, for routes whose response must not distinguish forbidden from missing rows. */
export function mayActFor(deps: AccessDeps, caller: Caller, accountId: string): Promise<boolean> {
  return isAllowed(resolveAccount(deps, caller, accountId))
}

/** `resolveReadable` as a predicate. */
export function mayRead(deps: AccessDeps, caller: Caller, accountId: string): Promise<boolean> {
  return isAllowed(resolveReadable(deps, caller, accountId))
}

/** The organization rule: the effective account and the caller are both members; otherwise 403. */
export async function requireOrganization(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  organizationId: string,
): Promise<void> {
  const targetId = organizationId.toLowerCase()
  const reach = await findCallerReach(deps, caller, targetId)
  const allowed =
    reach?.kind === 'organization' &&
    (reach.isMember || reach.isAdmin) &&
    (effectiveAccountId === targetId ||
      (effectiveAccountId === caller.accountId && reach.isMember) ||
      (await isMember(deps.db, effectiveAccountId, targetId)))
  if (!allowed) throw new ApiError('forbidden', 'Access denied to this organization')
}

/** True for a member of the admin organization. A key with an expiry never has admin rights. */
export async function isAdmin(deps: AccessDeps, caller: Caller): Promise<boolean> {
  return (await findCallerReach(deps, caller, caller.accountId))?.isAdmin === true
}

/**
 * The manage rule: the caller is a member of the organization or an admin; otherwise 403, and 404 for an unknown
 * organization.
 */
export async function requireManager(deps: AccessDeps, caller: Caller, organizationId: string): Promise<void> {
  const reach = await findCallerReach(deps, caller, organizationId.toLowerCase())
  if (reach?.kind !== 'organization') throw new ApiError('not_found', 'Organization not found')
  if (!reach.isMember && !reach.isAdmin) throw new ApiError('forbidden', 'Access denied to this organization')
}

/**
 * The artist rule: the artist is on the account's roster or attached to an organization in the account's owner set (the account
 * and its organizations), or the caller is an admin.
 */
export async function requireArtist(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  artistId: string,
): Promise<void> {
  const targetId = artistId.toLowerCase()
  if (await canReachArtist(deps.db, effectiveAccountId, targetId)) return
  const reach = await findCallerReach(deps, caller, targetId)
  if (reach?.kind === 'artist' && reach.isAdmin) return
  throw artistDenied()
}

/** Locks the artist until the transaction ends, so that it cannot be deleted. Throws 403 if it has already been deleted. */
export async function lockArtistAgainstDelete(tx: Tx, artistId: string): Promise<void> {
  if ((await lockArtist(tx, artistId, 'keep')) === undefined) throw artistDenied()
}

export function artistNotFound(): ApiError {
  return new ApiError('not_found', 'Artist not found')
}

/** The artist rule for routes that reveal whether an artist exists: 404 for an unknown one. */
export async function requireKnownArtist(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  artistId: string,
): Promise<ArtistRecord> {
  const artist = await findArtist(deps.db, artistId)
  if (artist === undefined) throw artistNotFound()
  await requireArtist(deps, caller, effectiveAccountId, artistId)
  return artist
}

/** The artist rule for routes that do not reveal whether an artist exists: 404 for unknown and inaccessible ones. */
export async function requireFindableArtist(deps: AccessDeps, caller: Caller, artistId: string): Promise<ArtistRecord> {
  try {
    return await requireKnownArtist(deps, caller, caller.accountId, artistId)
  } catch (error) {
    if (error instanceof ApiError) throw artistNotFound()
    throw error
  }
}

/**
 * The replace rule of profile links: the workspace that added the link, or the one that created the artist, is in the
 * owner set of the account, or the caller is an admin; otherwise 403.
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
  const reach = await findCallerReach(deps, caller, artist.id)
  if (reach?.isAdmin !== true) throw new ApiError('forbidden', 'Access denied to this profile link')
}

async function requireReach(
  deps: AccessDeps,
  caller: Caller,
  targetId: string,
  reachesOrganizations: boolean,
): Promise<string> {
  if (targetId !== caller.accountId) {
    // Before the lookup, so that the refusal does not reveal whether the account exists.
    if (caller.ephemeral && caller.sharedReads !== true)
      throw new ApiError('forbidden', 'A key with an expiry acts for its own account only')
    const reach = await findCallerReach(deps, caller, targetId)
    const allowed =
      reach !== undefined &&
      ((reach.kind === 'person' && (reach.sharesOrganization || reach.isAdmin)) ||
        (reach.kind === 'organization' && reachesOrganizations && (reach.isMember || reach.isAdmin)))
    if (!allowed) throw new ApiError('forbidden', 'Access denied to this account')
  }
  noteAccount(caller, targetId)
  return targetId
}

function findCallerReach({ db, config }: AccessDeps, { accountId, ephemeral }: Caller, targetId: string) {
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
