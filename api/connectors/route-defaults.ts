import { randomUUID } from 'node:crypto'
import { findWorkspaceId } from '../../db/artists/texts.ts'
import type { Entity } from '../../domain/connectors/connector.ts'
import type { ProviderCall } from '../../providers/call.ts'
import type { Connectors } from '../../providers/connectors/choose.ts'
import type { FileFetcher } from '../../providers/egress/files.ts'
import type { StorePort } from '../../providers/store/index.ts'
import { mayActFor, requireArtist } from '../access/access.ts'
import { recordAuditAccount } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { standardRoute, type Caller } from '../http/route.ts'
import type { SchemaChecker } from './check/checker.ts'

/** Dependencies of calls to connector brokers. */
export type BrokerDeps = Pick<RouteDeps, 'db' | 'log'> & { connectors: Connectors }

export type ConnectorDeps = RouteDeps &
  BrokerDeps & {
    /** Validates against third-party schemas. */
    schemas: SchemaChecker
    /** Fetches files from URLs that callers send. */
    files: FileFetcher
    store: StorePort
  }

export const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Connectors', description: 'Connections to other services, and the actions that these services offer.' },
  envelope: 'status-code',
} as const

export const ownership =
  'Connections of exactly one subject and workspace: the caller; the account named by account_id that the caller may act ' +
  'for; or an artist that the caller has access to, in the workspace that gives this access.'

/** Time limit in milliseconds of a broker call within a request. */
export const brokerTimeoutMs = 20_000

export function brokerCall(requestId: string = randomUUID(), ms = brokerTimeoutMs): ProviderCall {
  return { deadline: new Date(Date.now() + ms), requestId }
}

/**
 * Returns the entity whose connections a request uses. Throws 403, with the same text for inaccessible and missing
 * subjects.
 */
export async function resolveEntity(
  deps: Pick<RouteDeps, 'db' | 'config'>,
  caller: Caller,
  accountId: string | undefined,
): Promise<Entity> {
  const subjectId = accountId ?? caller.accountId
  if (subjectId === caller.accountId || (await mayActFor(deps, caller, subjectId))) {
    recordAuditAccount(caller, subjectId)
    return { subjectId, workspaceId: subjectId }
  }
  await requireAccessibleArtist(deps, caller, subjectId)
  recordAuditAccount(caller, subjectId)
  return { subjectId, workspaceId: await findWorkspaceId(deps.db, { accountId: caller.accountId }, subjectId) }
}

/** Returns the account that is charged for the work of a request. */
export async function resolvePayer(
  deps: Pick<RouteDeps, 'db' | 'config'>,
  caller: Caller,
  accountId: string | undefined,
): Promise<string> {
  const { subjectId, workspaceId } = await resolveEntity(deps, caller, accountId)
  return subjectId === workspaceId ? subjectId : caller.accountId
}

async function requireAccessibleArtist(
  deps: Pick<RouteDeps, 'db' | 'config'>,
  caller: Caller,
  artistId: string,
): Promise<void> {
  try {
    await requireArtist(deps, caller, caller.accountId, artistId)
  } catch (error) {
    if (error instanceof ApiError) throw new ApiError('forbidden', 'Access denied to this account')
    throw error
  }
}
