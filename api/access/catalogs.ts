import { findCatalogs } from '../../db/catalogs/catalogs.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'
import { isAdmin, type AccessDeps } from './access.ts'

export function catalogNotFound(): ApiError {
  return new ApiError('not_found', 'Catalog not found')
}

/**
 * The catalog rule: an owner of each catalog is in the owner set of the account, or the caller is an admin. An unknown
 * catalog gives 404 before an inaccessible one gives 403.
 */
export async function requireCatalogs(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  ids: readonly string[],
): Promise<void> {
  const uniqueIds = new Set(ids)
  const found = await findCatalogs(deps.db, effectiveAccountId, [...uniqueIds])
  if (found.length < uniqueIds.size) throw catalogNotFound()
  if (found.every(({ isVisible }) => isVisible) || (await isAdmin(deps, caller))) return
  throw new ApiError('forbidden', 'Access denied to this catalog')
}

/** The catalog rule for one catalog. */
export function requireCatalog(
  deps: AccessDeps,
  caller: Caller,
  effectiveAccountId: string,
  id: string,
): Promise<void> {
  return requireCatalogs(deps, caller, effectiveAccountId, [id])
}
