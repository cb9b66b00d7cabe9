import { join } from 'node:path'
import { embeddedWorkspace } from '../../domain/content/agent/messages.ts'
import type { Config } from '../../config.ts'
import type { DatabaseUrls } from '../../db/postgres/application-role.ts'
import type { BuildOutput } from '../commands/build.ts'
import type { DataDir, PartMarks, PartName, Secrets } from './data-dir.ts'
import { launchNode } from '../processes/node-part.ts'
import { migrateForStart } from './migrating.ts'
import type { MetricsPorts } from './ports.ts'
import { postgresUrls, startPostgres, stopOrphan } from './postgres/server.ts'
import { isRunning, stopProcess } from '../processes/processes.ts'
import { awaitReady, awaitWorker, isApiReady } from '../processes/readiness.ts'
import type { Print } from '../say.ts'
import { demoOperatorsId, seed } from '../seed.ts'
import { workerNeedsRoot, type ServiceUser } from '../system/service-user.ts'
import type { Part } from '../processes/supervise.ts'
import { startTemporal } from './temporal/server.ts'
import type { UiAddress } from './temporal/ui.ts'
import { withDatabase } from './with-database.ts'

export type Stack = {
  config: Config
  dataDir: DataDir
  secrets: Secrets
  print: Print
}

/** Stops the leftover processes of a killed start, clients before servers. */
export async function stopLeftovers(dataDir: DataDir, marks: PartMarks, print: Print): Promise<void> {
  for (const name of ['api', 'worker', 'worker-2', 'temporal'] as const) {
    const mark = marks[name]
    if (!mark || !isRunning(mark)) continue
    print(`Stopping the ${name} of an earlier start (process ${mark.pid}).`)
    await stopProcess(mark, [{ signal: 'SIGTERM', waitMs: 5000 }])
  }
  await stopOrphan(join(dataDir.path, 'postgres'))
}

export function postgresPart({ config, dataDir, secrets }: Stack): Part<PartName> & { urls: DatabaseUrls } {
  const access = {
    port: config.POSTGRES_PORT,
    password: secrets.postgresPassword,
    applicationPassword: secrets.applicationPassword,
    dataDir: join(dataDir.path, 'postgres'),
  }
  const { url: ownerUrl, applicationUrl } = postgresUrls(access)
  return {
    name: 'postgres',
    urls: { ownerUrl, applicationUrl },
    start: (onLaunch) =>
      startPostgres({
        ...access,
        logFile: dataDir.log('postgres'),
        onLaunch,
      }),
  }
}

export function temporalPart({ config, dataDir }: Stack, cli: string, ui: UiAddress): Part<PartName> {
  return {
    name: 'temporal',
    start: (onLaunch) =>
      startTemporal({
        cli,
        dataDir: dataDir.path,
        port: config.TEMPORAL_PORT,
        ui,
        namespace: config.TEMPORAL_NAMESPACE,
        logFile: dataDir.log('temporal'),
        onLaunch,
      }),
  }
}

/** Migrates the database and, outside production, creates the demo account. Returns the id of that account. */
export function prepareDatabase(
  { config, dataDir, secrets, print }: Stack,
  urls: DatabaseUrls,
  serverSecret: string,
): Promise<string | undefined> {
  return withDatabase({ url: urls.ownerUrl, max: 2, name: 'backline start' }, async (db) => {
    const applied = await migrateForStart(db, urls, config.DATABASE_URL === undefined ? dataDir.path : undefined)
    if (applied.length > 0) print(`Database: applied ${applied.length} migrations.`)
    if (config.PRODUCTION_MODE) return undefined
    return seed(db, { apiKey: secrets.apiKey, serverSecret, startCredits: config.START_CREDITS })
  })
}

/** Addresses and settings that the API and the workers receive when they start. */
export type Addresses = {
  databaseUrl: string
  temporalAddress: string
  serverSecret: string
  user: ServiceUser
  metricsPorts: MetricsPorts
  /** Undefined in production mode. */
  demoAccountId: string | undefined
}

/** Returns the part that runs a worker. With a spare worker, one worker is active, and the other waits to take over. */
export function workerPart(
  stack: Stack,
  addresses: Addresses,
  built: BuildOutput,
  name: 'worker' | 'worker-2' = 'worker',
): Part<PartName> {
  const { SPARE_WORKER: hasSpare, HEALTH_PORT: healthPort } = stack.config
  const workerSettings = {
    ...(hasSpare && { WORKER_GROUP: 'npm start' }),
    ...(healthPort !== undefined && { HEALTH_PORT: String(name === 'worker' ? healthPort : healthPort + 1) }),
    METRICS_PORT: addresses.metricsPorts[name]?.toString(),
  }
  return {
    name,
    start: async (onLaunch) => {
      const env = { ...partEnvironment(stack, addresses, built), ...workerSettings }
      const prefix = workerNeedsRoot(stack.config) ? [] : addresses.user.prefix
      const worker = await launchNode(
        { name, file: built.worker, env, stopWaitMs: workerStopMs(stack.config), prefix },
        stack.print,
      )
      onLaunch(worker)
      return awaitWorker(worker, stack.config, addresses.temporalAddress, hasSpare ? addresses.databaseUrl : undefined)
    },
  }
}

export function apiPart(stack: Stack, addresses: Addresses, built: BuildOutput): Part<PartName> {
  return {
    name: 'api',
    start: async (onLaunch) => {
      const metricsPort = String(addresses.metricsPorts.api)
      const env = { ...partEnvironment(stack, addresses, built), METRICS_PORT: metricsPort, HEALTH_PORT: '' }
      const { prefix } = addresses.user
      const stopWaitMs = (stack.config.DRAIN_DELAY_SECONDS + 15) * 1000
      const api = await launchNode({ name: 'api', file: built.server, env, stopWaitMs, prefix }, stack.print)
      onLaunch(api)
      return awaitReady(api, 'api', () => isApiReady(stack.config))
    },
  }
}

function partEnvironment({ config, dataDir }: Stack, addresses: Addresses, built: BuildOutput): NodeJS.ProcessEnv {
  const { demoAccountId } = addresses
  const workspaceAccounts = config.TEAMCHAT_ACCOUNTS ?? (demoAccountId && { [embeddedWorkspace]: demoAccountId })
  return {
    ...process.env,
    DATABASE_MIGRATION_URL: undefined,
    DATA_DIR: dataDir.path,
    DATABASE_URL: addresses.databaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    SERVER_SECRET: addresses.serverSecret,
    WORKFLOW_BUNDLE: built.workflowBundle,
    ...(config.TEMPORAL_ADDRESS === undefined && {
      TEMPORAL_UI_URL: config.TEMPORAL_UI_URL ?? `http://localhost:${config.TEMPORAL_UI_PORT}`,
    }),
    ...(demoAccountId !== undefined && {
      ADMIN_ORGANIZATION_ID: config.ADMIN_ORGANIZATION_ID ?? demoOperatorsId,
    }),
    ...(workspaceAccounts && { TEAMCHAT_ACCOUNTS: JSON.stringify(workspaceAccounts) }),
  }
}

/**
 * Returns the time limit of a worker's shutdown: the grace period, the forced end of activities and the closing of
 * connections.
 */
function workerStopMs({ WORKER_GRACE_SECONDS: grace }: Config): number {
  return (grace + 10) * 1000
}
