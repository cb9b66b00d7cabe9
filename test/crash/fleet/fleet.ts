import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { loadConfig, settings } from '../../../config.ts'
import { newRawKey } from '../../../db/accounts/keys.ts'
import { formatBanner } from '../../../dev/banner.ts'
import { seed } from '../../../dev/seed.ts'
import { readMessage, CommandRefusedError, print } from '../../../dev/say.ts'
import { createDataDir, type LocalFile } from '../../../dev/stack/data-dir.ts'
import { listAddresses, lockDataDir } from '../../../dev/stack/local-addresses.ts'
import { awaitEnd, conclude, readArguments, readCount } from '../campaign/command.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'

const help = `npm run fleet -- [options]: runs several simulated machines on this machine until Ctrl-C.

  --machines N   machines, each with a data directory, an API and a worker (default 3)
  --members N    processes of the Temporal server, which persists in Postgres (default 3)

Also runs an object store and a load balancer. DATA_DIR/local.json contains the addresses, as with npm start.
While the command runs, type \`lose 2\` to lose machine 2 with its disk, and \`back 2\` to start it again.`

/** Names of the settings that the command determines. */
const reservedSettings =
  /^(DATA_DIR|PORT|HOST|BASE_URL|API_URL|DATABASE_.*|POSTGRES_PORT|TEMPORAL_.*|SERVER_SECRET|WORKFLOW_BUNDLE|BLOB_.*|CODE_HOST|GITHUB_.*|SANDBOX_ADDRESS|SPARE_WORKER|HEALTH_PORT|METRICS_PORT)$/

const listSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[0] in settings && !reservedSettings.test(entry[0]) && entry[1] !== '',
    ),
  )

/** Creates the demo account. Returns the content of `local.json`. */
const prepareDemo = async (cluster: Cluster): Promise<LocalFile> => {
  const { serverSecret } = cluster
  const config = loadConfig({ ...listSettings(), BASE_URL: cluster.loadBalancerUrl, SERVER_SECRET: serverSecret })
  const apiKey = newRawKey()
  await seed(cluster.db, { apiKey, serverSecret, startCredits: config.START_CREDITS })
  const pid = (part: Parameters<Cluster['pid']>[0]): number | null => cluster.pid(part) ?? null
  return {
    ...listAddresses(config, { apiKey, serverSecret }),
    temporalUiUrl: null,
    metricsUrls: { api: cluster.machines.metricsUrl(1) },
    pids: { api: pid('api-1'), worker: pid('worker-1'), temporal: pid('temporal'), postgres: pid('postgres') },
  }
}

const executeCommand = async (cluster: Cluster, line: string): Promise<void> => {
  const [, verb, digits] = /^\s*(lose|back)\s+(\d+)\s*$/.exec(line) ?? []
  const machine = Number(digits)
  if (verb === undefined || !cluster.machines.list().includes(machine)) {
    print('Type `lose N` or `back N`, with the number of a machine.')
    return
  }
  await (verb === 'lose' ? cluster.machines.lose(machine) : cluster.machines.bringBack(machine))
  print(verb === 'lose' ? `Machine ${machine} is lost.` : `Machine ${machine} runs again with an empty disk.`)
}

const serve = async (cluster: Cluster, begunAt: number): Promise<LocalFile> => {
  const local = await prepareDemo(cluster)
  print(formatBanner(local, ((performance.now() - begunAt) / 1000).toFixed(1)))
  createInterface({ input: process.stdin }).on('line', (line) => {
    executeCommand(cluster, line).catch((error: unknown) => print(readMessage(error)))
  })
  return local
}

export const main = async (args: string[]): Promise<void> => {
  const flags = readArguments(args, ['machines', 'members'])
  if (flags['help'] !== undefined) {
    print(help)
    return
  }
  if (existsSync('.env')) process.loadEnvFile('.env')
  const begunAt = performance.now()
  const options = {
    machines: readCount('machines', flags['machines'], 3),
    members: readCount('members', flags['members'], 3),
    engine: 'server',
    store: 's3',
  } as const
  const dataDir = createDataDir(resolve(loadConfig().DATA_DIR))
  await dataDir.make()
  const lock = await lockDataDir(dataDir)
  const { ended, dispose } = awaitEnd()
  const folder = await mkdtemp(join(tmpdir(), 'backline-fleet-'))
  const starting = startCluster({ ...options, folder, settings: listSettings(), log: print })
  try {
    const running = starting.then(async (cluster) => dataDir.writeLocal(await serve(cluster, begunAt)))
    await Promise.race([running.then(() => ended), ended])
  } catch (error) {
    if (!(error instanceof CommandRefusedError)) throw error
    print(error.message)
  } finally {
    await dataDir.removeLocal()
    await (await starting.catch(() => undefined))?.close()
    await lock.release()
    dispose()
  }
  conclude(true)
}
