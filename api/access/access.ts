import { findArtist, lockArtist, type ArtistRecord } from '../../db/artists/links.ts'
import type { Db, Tx } from '../../db/postgres/client.ts'
import { findReach, isMember, reachesArtist } from '../../db/organizations/organizations.ts'
import { noteAccount } from './audit.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

export type AccessDeps = { db: Db; config: ApiDeps['config'] }

/**
 * The override rule: the account that a request acts for. It is the caller's own, or the caller shares an organization with
 * it, is a member of it (with a key: a bearer never acts for an organization) or is an admin; else 403. A key with an
 * expiry acts for its own account only, unless the route declares `sharedReads`.
 */
export function resolveAccount(deps: AccessDeps, caller: Caller, accountId: string | undefined): Promise<string> {
  return requireReach(deps, caller, accountId?.toLowerCase() ?? caller.accountId, caller.via === 'key')
}

/** The override rule for a GET of `/api/accounts/{id}`, where a bearer reads what its organizations have, too. */
export function resolveReadable(deps: AccessDeps, caller: Caller, accountId: string): Promise<string> {
  return requireReach(deps, caller, accountId.toLowerCase(), true)
}

/** A key with an expiry, which a run has, leaves nothing behind that gives access or moves money. */
export function refuseEphemeral({ ephemeral }: Caller): void {
  if (ephemeral) throw new ApiError('forbidden', 'A key with an expiry may not do this')
}

/** The override rule as a question, where a refusal must not be told from an absent row. */
export function mayActFor(deps: AccessDeps, caller: Caller, accountId: string): Promise<boolean> {
  return isAllowed(resolveAccount(deps, caller, accountId))
}

/** `resolveReadable` as a question. */
export function mayRead(deps: AccessDeps, caller: Caller, accountId: string): Promise<boolean> {
  return isAllowed(resolveReadable(deps, caller, accountId))
}

/** The organization rule: the effective account and the caller both belong to it; else 403. */
export async function requireOrganization(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  organizationId: string,
): Promise<void> {
  const targetId = organizationId.toLowerCase()
  const reach = await reachOf(deps, caller, targetId)
  const allowed =
    reach?.kind === 'organization' &&
    (reach.isMember || reach.isAdmin) &&
    (effectiveAccountId === targetId ||
      (effectiveAccountId === caller.accountId && reach.isMember) ||
      (await isMember(deps.db, effectiveAccountId, targetId)))
  if (!allowed) throw new ApiError('forbidden', 'Access denied to this organization')
}

/** Whether the caller is a member of the admin organization. A key with an expiry never has the rights of an admin. */
export async function isAdmin(deps: AccessDeps, caller: Caller): Promise<boolean> {
  return (await reachOf(deps, caller, caller.accountId))?.isAdmin === true
}

/** The manage rule: the caller is a member of the organization or an admin; 403, and 404 for an unknown organization. */
export async function requireManager(deps: AccessDeps, caller: Caller, organizationId: string): Promise<void> {
  const reach = await reachOf(deps, caller, organizationId.toLowerCase())
  if (reach?.kind !== 'organization') throw new ApiError('not_found', 'Organization not found')
  if (!reach.isMember && !reach.isAdmin) throw new ApiError('forbidden', 'Access denied to this organization')
}

/** The artist rule: on the account's roster, attached to an organization of its owner set, or the caller is an admin. */
export async function requireArtist(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  artistId: string,
): Promise<void> {
  const targetId = artistId.toLowerCase()
  if (await reachesArtist(deps.db, effectiveAccountId, targetId)) return
  const reach = await reachOf(deps, caller, targetId)
  if (reach?.kind === 'artist' && reach.isAdmin) return
  throw artistDenied()
}

/** Holds an artist that the caller may name until the transaction ends: one that was deleted meanwhile is refused. */
export async function keepArtist(tx: Tx, artistId: string): Promise<void> {
  if ((await lockArtist(tx, artistId, 'stays')) === undefined) throw artistDenied()
}

export function artistNotFound(): ApiError {
  return new ApiError('not_found', 'Artist not found')
}

/** The artist rule where an unknown artist is told apart: 404. */
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

/** The artist rule where an artist out of reach is not told from an unknown one: 404 for both. */
export async function requireFindableArtist(deps: AccessDeps, caller: Caller, artistId: string): Promise<ArtistRecord> {
  try {
    return await requireKnownArtist(deps, caller, caller.accountId, artistId)
  } catch (error) {
    if (error instanceof ApiError) throw artistNotFound()
    throw error
  }
}

/**
 * The replace rule of profile links: the workspace that added the link, or the one that made the artist, is in the owner
 * set of the account, or the caller is an admin; else 403.
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
  const reach = await reachOf(deps, caller, artist.id)
  if (reach?.isAdmin !== true) throw new ApiError('forbidden', 'Access denied to this profile link')
}

async function requireReach(
  deps: AccessDeps,
  caller: Caller,
  targetId: string,
  reachesOrganizations: boolean,
): Promise<string> {
  if (targetId !== caller.accountId) {
    // Before the look-up: the refusal does not depend on whether the account exists.
    if (caller.ephemeral && caller.sharedReads !== true)
      throw new ApiError('forbidden', 'A key with an expiry acts for its own account only')
    const reach = await reachOf(deps, caller, targetId)
    const allowed =
      reach !== undefined &&
      ((reach.kind === 'person' && (reach.sharesOrganization || reach.isAdmin)) ||
        (reach.kind === 'organization' && reachesOrganizations && (reach.isMember || reach.isAdmin)))
    if (!allowed) throw new ApiError('forbidden', 'Access denied to this account')
  }
  noteAccount(caller, targetId)
  return targetId
}

function reachOf({ db, config }: AccessDeps, { accountId, ephemeral }: Caller, targetId: string) {
  const adminOrganizationId = ephemeral ? undefined : config.ADMIN_ORGANIZATION_ID
  return findReach(db, { callerId: accountId, targetId, adminOrganizationId })
}

async function isAllowed(asked: Promise<string>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function artistDenied(): ApiError {
  return new ApiError('forbidden', 'Access denied to this artist')
}
