import { z } from 'zod'

const time = z.iso.datetime()
const check = z.enum(['ok', 'failed', 'pending'])
const perSecond = z.number()

export const processSchema = z.object({
  id: z.string(),
  part: z.enum(['api', 'worker']),
  host: z.string(),
  pid: z.int(),
  build: z.string(),
  state: z.enum(['alive', 'silent', 'lost']),
  startedAt: time,
  reportedAt: time,
  memoryBytes: z.int(),
  processorShare: z.number(),
  eventLoopDelayMs: z.number(),
  openRequests: z.int(),
  openStreams: z.int(),
  requestsPerSecond: perSecond,
  framesSentPerSecond: perSecond,
  framesWrittenPerSecond: perSecond,
  runningActivities: z.int(),
  cachedWorkflows: z.int(),
})

/** State of all processes for the operator. */
export const overviewSchema = z.object({
  at: time,
  health: z.object({
    postgres: check,
    migrations: check,
    temporal: check,
    disk: z.object({ freeBytes: z.int().nullable(), reserveBytes: z.int() }),
  }),
  queues: z.array(
    z.object({
      name: z.enum(['turns', 'jobs', 'mails']),
      waiting: z.int(),
      oldestSeconds: z.number().nullable(),
      running: z.int(),
    }),
  ),
  taskQueues: z
    .array(
      z.object({
        name: z.string(),
        type: z.enum(['workflow', 'activity']),
        backlog: z.int(),
        oldestSeconds: z.number(),
        addedPerSecond: perSecond,
        takenPerSecond: perSecond,
        pollers: z.int(),
      }),
    )
    .nullable(),
  totals: z.object({
    apisAlive: z.int(),
    workersAlive: z.int(),
    openRequests: z.int(),
    openStreams: z.int(),
    requestsPerSecond: perSecond,
    framesSentPerSecond: perSecond,
    framesWrittenPerSecond: perSecond,
    runningActivities: z.int(),
  }),
  processes: z.array(processSchema),
  lost: z.object({ processes: z.int(), attempts: z.int(), sinceHours: z.int() }),
  alerts: z.array(
    z.object({
      kind: z.enum(['sweep', 'run', 'ledger', 'payment']),
      name: z.string(),
      count: z.int(),
      lastAt: time.nullable(),
    }),
  ),
  slowestRoutes: z.array(
    z.object({
      method: z.string(),
      route: z.string(),
      count: z.int(),
      failures: z.int(),
      meanMs: z.number(),
      p95Ms: z.number(),
    }),
  ),
  routesSinceSeconds: z.int(),
})

export type Overview = z.output<typeof overviewSchema>
