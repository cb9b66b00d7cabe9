import { insertRunKey, runKey } from '../../db/runs/keys.ts'
import { openSegments } from '../../domain/runs/paths.ts'
import type { NetworkAccess, Service } from '../../providers/sandbox/network/access.ts'
import type { ActivityDeps, Platform } from '../deps.ts'

type NetworkDeps = Pick<ActivityDeps, 'db' | 'platform'>

/**
 * Credentials of a run's request to `{base_url}`: the run's own key, for git as a password. Undefined for paths that
 * are closed to runs.
 */
export function runKeyHeaders(
  { baseUrl, serverSecret }: Platform,
  runId: string,
  path: string,
): Record<string, string> | undefined {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '')
  const segments = openSegments(path.startsWith(base) ? path.slice(base.length) : path)
  if (segments === undefined) return undefined
  const key = runKey(serverSecret, runId)
  if (segments[0] !== 'git') return { 'x-api-key': key }
  return { authorization: `Basic ${Buffer.from(`run:${key}`).toString('base64')}` }
}

/** Returns the headers for a path of `{base_url}`. The key of the run becomes valid with the first such request. */
export function createRunKeyHeaders({ db, platform }: NetworkDeps, runId: string): Service['headers'] {
  let valid: Promise<void> | undefined
  return async (path) => {
    const headers = runKeyHeaders(platform, runId, path)
    if (headers !== undefined) await (valid ??= insertRunKey(db, platform.serverSecret, runId))
    return headers
  }
}

/** Network access of the commands of a run, in addition to the public internet. */
export function createRunNetwork(deps: NetworkDeps, runId: string): NetworkAccess {
  return {
    services: [createPlatformService(deps, runId)],
  }
}

function createPlatformService(deps: NetworkDeps, runId: string): Service {
  return {
    address: deps.platform.baseUrl,
    ...(deps.platform.apiUrl !== deps.platform.baseUrl && { dial: deps.platform.apiUrl }),
    headers: createRunKeyHeaders(deps, runId),
  }
}
