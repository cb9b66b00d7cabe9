import { z } from 'zod'
import { route, ok, type Tag, type Route } from '../http/route.ts'
import { listPendingMigrations } from '../../db/migrate.ts'
import type { WorkDeps } from '../deps.ts'

export const serviceTag: Tag = {
  name: 'Service',
  description: 'Health checks and this document.',
}

export type HealthDeps = Pick<WorkDeps, 'db' | 'engine'> & {
  /** False until every dependency of this process has responded once. Requests are rejected until then. */
  ready: boolean
  /** True after a stop signal: the process still serves requests but reports that it is not ready. */
  draining: boolean
}

const checkTimeoutMs = 2000

const check = z.enum(['ok', 'failed', 'pending'])
const readiness = z.object({
  status: z.enum(['ready', 'unready', 'draining']),
  checks: z.object({ postgres: check, migrations: check, temporal: check }),
})

type Check = z.infer<typeof check>

const routeDefaults = {
  tag: serviceTag,
  auth: 'none',
  ownership: 'Returns no account data.',
  envelope: 'standard',
  bodyLimit: 0,
  rate: 'none',
} as const

export function healthRoutes(deps: HealthDeps): Route[] {
  const dependencyChecks = createChecks(deps)
  return [
    route({
      ...routeDefaults,
      method: 'GET',
      path: '/healthz',
      summary: 'Check that the process runs',
      responses: { 200: z.object({ status: z.literal('ok') }) },
      handle: async () => ok({ status: 'ok' }),
    }),
    route({
      ...routeDefaults,
      method: 'GET',
      path: '/readyz',
      summary: 'Check that the process can serve requests',
      responses: { 200: readiness, 503: readiness },
      handle: async () => {
        const [postgres, migrations, temporal] = await Promise.all([
          dependencyChecks.postgres(),
          dependencyChecks.migrations(),
          dependencyChecks.temporal(),
        ])
        const checks = { postgres, migrations, temporal }
        // Temporal is not required: its outage would otherwise remove all APIs from a load balancer at once.
        const isReady = deps.ready && postgres === 'ok' && migrations === 'ok'
        if (isReady && !deps.draining) return ok({ status: 'ready', checks })
        const status = deps.draining ? 'draining' : 'unready'
        return { status: 503, headers: { 'retry-after': '1' }, body: { status, checks } }
      },
    }),
  ]
}

/** Creates functions that check the dependencies of this process, each within two seconds. */
export function createChecks(deps: Pick<WorkDeps, 'db' | 'engine'>) {
  return {
    postgres: mergeConcurrent(async () => {
      await deps.db`select 1`
      return 'ok'
    }),
    migrations: mergeConcurrent(async () => ((await listPendingMigrations(deps.db)).length === 0 ? 'ok' : 'pending')),
    temporal: mergeConcurrent(async () => {
      await deps.engine.check(checkTimeoutMs)
      return 'ok'
    }),
  }
}

/** Merges concurrent checks, so that a dependency that does not respond has at most one open call. */
function mergeConcurrent(run: () => Promise<Check>): () => Promise<Check> {
  let running: Promise<Check> | undefined
  return () => {
    running ??= run().finally(() => (running = undefined))
    return withTimeout(running)
  }
}

/** Returns the result of a check; `failed` if it fails or times out. */
async function withTimeout(running: Promise<Check>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve('failed'), checkTimeoutMs)
  })
  try {
    return await Promise.race([running, timeout])
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}
