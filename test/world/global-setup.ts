import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { grantApplication } from '../../db/postgres/application-role.ts'
import { connect } from '../../db/postgres/client.ts'
import { migrate } from '../../db/migrate.ts'
import { ensurePartitions } from '../../db/log/partitions.ts'
import { ensureBubblewrap, ensureFfmpeg } from '../../dev/system/programs.ts'
import { build, type BuildOutput } from '../../dev/commands/build.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { startPostgres } from '../../dev/stack/postgres/server.ts'
import { print } from '../../dev/say.ts'
import { ensureCli } from '../../dev/stack/temporal/cli.ts'
import { startTemporal } from '../../dev/stack/temporal/server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects as the superuser, to the database `postgres`. */
    postgresUrl: string
    /** Connects to the same database as the role of API and workers. */
    applicationUrl: string
    /** A migrated database, which tests clone with `create database x template y`. */
    templateDatabase: string
    temporalAddress: string
    temporalHttpAddress: string
    /** Paths of the build output. */
    built: BuildOutput
    /** Process ids of the servers that all files share. */
    serverPids: { postgres: number; temporal: number }
  }
}

/** What `setup` provides to the tests. */
export type SharedStack = ProvidedContext

const templateDatabase = 'backline_template'

const makeTemplate = async (postgresUrl: string, applicationUrl: string): Promise<void> => {
  const server = connect({ url: postgresUrl, max: 1, name: 'test setup' })
  await server`create database ${server(templateDatabase)}`
  await server.end()
  const url = new URL(postgresUrl)
  url.pathname = templateDatabase
  const template = connect({ url: url.href, max: 1, name: 'test setup' })
  await migrate(template)
  await grantApplication(template, { ownerUrl: postgresUrl, applicationUrl })
  await ensurePartitions(template)
  await template.end()
}

/**
 * Starts one Postgres and one Temporal for the whole run. Teardown deletes their folder. With SHARED_STACK, the run uses the
 * servers of another run.
 */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const shared = process.env['SHARED_STACK']
  if (shared !== undefined) {
    const entries = Object.entries(JSON.parse(shared) as SharedStack)
    for (const [name, value] of entries) project.provide(name as keyof SharedStack, value)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'backline-test-'))
  // Postgres runs as another user.
  await chmod(folder, 0o711)
  const servers: { stop(): Promise<void> }[] = []
  const serverPids = { postgres: 0, temporal: 0 }
  const teardown = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
    await rm(folder, { recursive: true, force: true })
  }
  const startDatabase = async (): Promise<void> => {
    const dataDir = join(folder, 'postgres')
    const logFile = join(folder, 'postgres.log')
    const access = { port: await freePort(), password: 'test', applicationPassword: 'application' }
    const postgres = await startPostgres({ dataDir, logFile, ...access, durable: false })
    servers.push(postgres)
    serverPids.postgres = postgres.pid
    const url = new URL(postgres.url)
    url.pathname = 'postgres'
    await makeTemplate(url.href, postgres.applicationUrl)
    project.provide('postgresUrl', url.href)
    project.provide('applicationUrl', postgres.applicationUrl)
    project.provide('templateDatabase', templateDatabase)
  }
  const startEngine = async (): Promise<void> => {
    const cli = await ensureCli(process.env['TEMPORAL_CLI'], print)
    const logFile = join(folder, 'temporal.log')
    const port = await freePort()
    const temporal = await startTemporal({ cli, dataDir: folder, logFile, port, namespace: 'default', durable: false })
    servers.push(temporal)
    serverPids.temporal = temporal.pid
    project.provide('temporalAddress', temporal.address)
    project.provide('temporalHttpAddress', temporal.httpAddress)
  }
  const results = await Promise.allSettled([
    startDatabase(),
    startEngine(),
    build().then((built) => project.provide('built', built)),
    // Sequential, because a package manager runs once at a time.
    ensureBubblewrap(print).then(() => ensureFfmpeg(print)),
  ])
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) {
    // Prints only the message, because the runner cannot print the stack of every setup error.
    print(
      `The servers of the tests did not start: ${failure.reason instanceof Error ? failure.reason.message : failure.reason}`,
    )
    await teardown()
    throw failure.reason
  }
  project.provide('serverPids', serverPids)
  return teardown
}
