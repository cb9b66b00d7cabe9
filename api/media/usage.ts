import type { Logger } from 'pino'
import { mediaTerms } from '../../config.ts'
import { readMediaUsage } from '../../db/media.ts'
import type { Db } from '../../db/postgres/client.ts'
import { mediaUsageSchema, quotaFullText } from '../../domain/media.ts'
import { resolveReadable } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Route } from '../http/route.ts'
import { routeDefaults } from '../credits/credits.ts'
import type { StorePort } from '../../providers/store/index.ts'

export function mediaUsageRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    path: '/api/accounts/{id}/media',
    summary: 'Read the media storage of an account',
    description: 'Counts the bytes of tracks, videos and their files. Deleting a track or a video frees its bytes.',
    responses: { 200: mediaUsageSchema },
    errors: ['forbidden'],
    authorize: ({ caller, params }) => resolveReadable(deps, caller, params.id),
    handle: async ({ params: { id } }) => {
      const { used, quota, plan } = await readMediaUsage(deps.db, id, mediaTerms(deps.config))
      return ok({ account_id: id, used_bytes: used, quota_bytes: quota, plan })
    },
  })
}

/** Throws 402, with the usage and the limit of the plan, if the account has no storage left for a result. */
export async function requireMediaRoom(
  { config }: Pick<RouteDeps, 'config'>,
  db: Db,
  accountId: string,
): Promise<void> {
  const { used, quota, plan } = await readMediaUsage(db, accountId, mediaTerms(config))
  if (quota === null || used < quota) return
  throw new ApiError('plan_limit', 'plan_limit', {
    body: {
      status: 'error',
      error: 'plan_limit',
      limit: 'media_bytes',
      message: quotaFullText,
      plan,
      used_bytes: used,
      quota_bytes: quota,
      billingUrl: config.billingUrl,
    },
  })
}

/** Deletes files from the store. If a deletion fails, a sweep finds the file by its row without an account and deletes it. */
export async function deleteFiles(
  { store, log }: { store: StorePort; log: Logger },
  keys: readonly string[],
): Promise<void> {
  for (const key of keys)
    await store
      .delete(key)
      .catch((err: unknown) => log.warn({ err, key }, 'failed to delete a file; it is deleted later'))
}
