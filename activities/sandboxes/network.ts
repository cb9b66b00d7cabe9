import { insertRunKey, deriveRunKey } from '../../db/runs/keys.ts'
import { openSegments } from '../../domain/runs/paths.ts'
import type { NetworkAccess, Service } from '../../providers/sandbox/network/access.ts'
import type { DbDeps, Platform } from '../deps.ts'

type NetworkDeps = DbDeps & { platform: Platform }

/**
 * Returns the headers that authenticate a run's request to the API with the key of the run; git receives the key as a
 * password. Returns undefined for a path that runs may not call.
 */
export function runKeyHeaders(
  { baseUrl, serverSecret }: Platform,
  runId: string,
  path: string,
): Record<string, string> | undefined {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '')
  const segments = openSegments(path.startsWith(base) ? path.slice(base.length) : path)
  if (segments === undefined) return undefined
  const key = deriveRunKey(serverSecret, runId)
  if (segments[0] !== 'git') return { 'x-api-key': key }
  return { authorization: `Basic ${Buffer.from(`run:${key}`).toString('base64')}` }
}

/** Returns a function that creates the headers for a path. Its first use stores the key of the run: the key is then valid. */
export function createRunKeyHeaders({ db, platform }: NetworkDeps, runId: string): Service['headers'] {
  let storedKey: Promise<void> | undefined
  return async (path) => {
    const headers = runKeyHeaders(platform, runId, path)
    if (headers !== undefined) await (storedKey ??= insertRunKey(db, platform.serverSecret, runId))
    return headers
  }
}

/** Returns the network access of a run's commands in addition to the public internet. */
export function createRunNetwork(deps: NetworkDeps, runId: string): NetworkAccess {
  return {
    services: [createPlatformService(deps, runId)],
    grant: runId,
  }
}

function createPlatformService(deps: NetworkDeps, runId: string): Service {
  return {
    address: deps.platform.baseUrl,
    ...(deps.platform.apiUrl !== deps.platform.baseUrl && { dial: deps.platform.apiUrl }),
    headers: createRunKeyHeaders(deps, runId),
  }
}
