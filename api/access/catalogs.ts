import { findCatalogs } from '../../db/catalogs/catalogs.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'
import { isAdmin, type AccessDeps } from './access.ts'

/**
 * Throws 404 if one of the catalogs does not exist, and 403 unless each catalog has an owner in the owner set of the account
 * or the caller is an admin.
 */
export async function requireCatalogs(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  ids: readonly string[],
): Promise<void> {
  const uniqueIds = new Set(ids)
  const catalogs = await findCatalogs(deps.db, effectiveAccountId, [...uniqueIds])
  if (catalogs.length < uniqueIds.size) throw notFound('Catalog')
  if (catalogs.every(({ isVisible }) => isVisible) || (await isAdmin(deps, caller))) return
  throw new ApiError('forbidden', 'Access denied to this catalog')
}

/** Like `requireCatalogs`, for one catalog. */
export function requireCatalog(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  id: string,
): Promise<void> {
  return requireCatalogs(deps, caller, effectiveAccountId, [id])
}
