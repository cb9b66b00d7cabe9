import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../../db/postgres/client.ts'
import { grantApplication } from '../../../db/postgres/application-role.ts'
import { migrate } from '../../../db/migrate.ts'
import { ensurePartitions } from '../../../db/log/partitions.ts'
import { ensureBubblewrap } from '../../../dev/system/programs.ts'
import { build, type BuildOutput } from '../../../dev/commands/build.ts'
import { postgresUrls } from '../../../dev/stack/postgres/server.ts'
import { waitFor } from '../../../dev/processes/processes.ts'
import type { Print } from '../../../dev/say.ts'
import { startLoadBalancer } from '../fleet/load-balancer.ts'
import { createMachines } from '../fleet/machines.ts'
import { endSandboxes, isSuspended, killLeftovers } from './leftovers.ts'
import type { Member } from './member.ts'
import { createNodes } from './nodes.ts'
import { respondsOk, copyBuild, isApi, isNode, readTail, type NodePartId, type PartId } from './parts.ts'
import type { Fault } from '../records/records.ts'
import { samplePart, type PartSample } from './samples.ts'
import type { Cluster, ClusterOptions } from './contract.ts'
import { createServers, namespace, password } from './servers.ts'

export type { Cluster, ClusterOptions } from './contract.ts'

/** Number of members of a Temporal server, if the cluster does not use the dev server. */
const defaultMembers = 3

const serverSecret = 'a secret of the crash tests that is long enough'
const sampleIntervalMs = 1000
const readyTimeoutMs = 60_000
/** More frequent checks would take CPU time from the parts that start. */
const readyPollMs = 200
const restartTimeoutMs = 10 * 60_000

const buildDatabaseUrl = (port: number): string => postgresUrls({ port, password }).url
const buildApplicationUrl = (port: number): string => postgresUrls({ port, password }).applicationUrl

const prepareDatabase = async (db: Pool, port: number): Promise<void> => {
  await migrate(db)
  await grantApplication(db, { ownerUrl: buildDatabaseUrl(port), applicationUrl: buildApplicationUrl(port) })
  await ensurePartitions(db)
}

const listNumbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { folder } = options
  const say: Print = options.log ?? (() => {})
  const dataDir = join(folder, 'data')
  const sandboxRoots = (): string[] => [join(dataDir, 'sandboxes'), ...machines.sandboxRoots()]
  const engine =
    options.engine === 'server' ? ({ kind: 'server', members: options.members ?? defaultMembers } as const) : undefined
  const servers = await createServers({
    folder,
    say,
    ...(engine !== undefined && { engine }),
    ...(options.store !== undefined && { store: options.store }),
  })
  const { postgresPort, temporal } = servers
  const loadBalancer = options.machines === undefined ? undefined : await startLoadBalancer()
  const nodes = createNodes({
    postgresPort,
    temporal,
    databaseUrl: buildDatabaseUrl,
    applicationUrl: buildApplicationUrl,
    say,
    settings: {
      DATA_DIR: dataDir,
      SERVER_SECRET: serverSecret,
      ...(options.modelUrl !== undefined && { MODEL_BASE_URL: options.modelUrl }),
      ...(loadBalancer !== undefined && {
        BASE_URL: loadBalancer.url,
        TRUSTED_PROXIES: '127.0.0.1',
        SANDBOX_PROVIDER: 'bubblewrap',
      }),
      ...servers.settings,
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_STARTS_PER_MINUTE: '0',
      RATE_LIMIT_STREAMS: '0',
      ...options.settings,
    },
  })
  const db = nodes.observer
  const samples: PartSample[] = []
  let built: BuildOutput
  let closing: Promise<string[]> | undefined

  const getMember = (part: PartId): Member => {
    const member = isNode(part) ? nodes.get(part).member : servers.find(part)
    if (member === undefined) throw new Error(`no part ${part}`)
    return member
  }
  const parts = (): PartId[] => [...servers.parts(), ...nodes.ids()]

  const sampler = setInterval(() => {
    for (const part of parts()) {
      const pid = getMember(part).pid()
      const sample = pid === undefined ? undefined : samplePart(part, pid)
      if (sample !== undefined) samples.push(sample)
    }
  }, sampleIntervalMs)

  const shutDown = async (): Promise<string[]> => {
    clearInterval(sampler)
    await loadBalancer?.close()
    await nodes.closeAll()
    await servers.stop()
    for (const root of sandboxRoots()) await endSandboxes(root)
    const killed = await killLeftovers(folder)
    await rm(folder, { recursive: true, force: true })
    return killed
  }
  const close = (): Promise<string[]> => (closing ??= shutDown())

  const isResponding = async (part: PartId): Promise<boolean> => {
    if (getMember(part).readySince() === undefined) return false
    if (part === 'postgres')
      return db`select 1`.then(
        () => true,
        () => false,
      )
    if (!isNode(part)) return true
    if (isApi(part)) return respondsOk(`http://127.0.0.1:${nodes.get(part).port}/readyz`)
    return nodes.backends(part).then(
      (sessions) => sessions.some(({ name }) => name.startsWith('backline lock')),
      () => false,
    )
  }

  const listAbsent = async (): Promise<PartId[]> => {
    const absent = await Promise.all(parts().map(async (part) => ((await isResponding(part)) ? [] : [part])))
    return absent.flat()
  }

  const machines = createMachines({
    folder,
    memberOf: getMember,
    start: (part, settings) => nodes.start(part, built, settings),
    proxies: (part) => nodes.get(part).proxies,
    db,
  })

  const cluster: Cluster = {
    db,
    databaseUrl: buildDatabaseUrl(postgresPort),
    temporalAddress: `${temporal.hosts[0]}:${temporal.port}`,
    machines,
    loadBalancerUrl: loadBalancer?.url,
    namespace,
    serverSecret,
    sandboxRoots,
    samples,
    parts,
    workers: nodes.workers,
    apis: nodes.apis,
    apiUrls: () =>
      nodes
        .apis()
        .filter((part) => cluster.isReady(part))
        .map((part) => `http://127.0.0.1:${nodes.get(part).port}`),
    isReady: (part) => getMember(part).readySince() !== undefined,
    pid: (part) => getMember(part).pid(),
    kill: async (part, signal = 'SIGKILL') => {
      const member = getMember(part)
      const { pid, at, how, isGone } = await member.end(signal)
      const expected = part === 'postgres' && signal !== 'SIGKILL' ? 'exit code 0' : `signal ${signal}`
      const fault: Fault = {
        kind: 'kill',
        target: part,
        at,
        observed: isGone && how === expected,
        evidence: `process ${pid} of ${part} ended: ${how}`,
      }
      member.untilReady(restartTimeoutMs).then(
        () => (fault.until = Date.now()),
        () => undefined,
      )
      return fault
    },
    restart: (part) => getMember(part).end('SIGTERM'),
    deploy: (part, next) => {
      nodes.get(part).built = next
      return cluster.restart(part)
    },
    builtOf: (part) => nodes.get(part).built,
    pause: async (part) => {
      const pid = getMember(part).signal('SIGSTOP')
      if (!(await waitFor(() => isSuspended(pid), 5000, 5))) throw new Error(`${part} was not suspended`)
      return pid
    },
    resume: (part) => void getMember(part).signal('SIGCONT'),
    hold: (part) => getMember(part).hold(),
    release: (part) => getMember(part).release(),
    proxies: (part) => nodes.get(part).proxies,
    backends: nodes.backends,
    addWorker: async (workerBuild = built, settings) => {
      const number = 1 + Math.max(0, ...nodes.workers().map((part) => Number(part.slice('worker-'.length))))
      const part: NodePartId = `worker-${number}`
      await nodes.start(part, workerBuild, settings)
      return part
    },
    retire: async (part) => {
      const { member } = nodes.get(part)
      member.hold()
      const end = await member.end('SIGTERM')
      await nodes.close(part)
      return end
    },
    untilReady: async (timeoutMs = readyTimeoutMs) => {
      const deadline = Date.now() + timeoutMs
      for (let absent = await listAbsent(); absent.length > 0; absent = await listAbsent()) {
        if (Date.now() > deadline) throw new Error(`not ready after ${timeoutMs} ms: ${absent.join(', ')}`)
        await sleep(readyPollMs)
      }
    },
    output: (part) => (isNode(part) ? Promise.resolve(nodes.get(part).log.text()) : readTail(servers.logFile(part))),
    errorLines: nodes.errorLines,
    close,
  }

  try {
    await mkdir(dataDir, { recursive: true })
    const starting = servers.start()
    const [sourceBuild] = await Promise.all([
      options.built === undefined ? build() : options.built,
      starting.all,
      starting.postgres.then(() => prepareDatabase(db, postgresPort)),
      ensureBubblewrap(say),
    ])
    built = await copyBuild(sourceBuild, join(folder, 'build'))
    await Promise.all([
      ...listNumbers(options.workers ?? 0).map((number) => nodes.start(`worker-${number}`, built)),
      ...listNumbers(options.apis ?? 0).map((number) => nodes.start(`api-${number}`, built)),
      ...listNumbers(options.machines ?? 0).map((number) => machines.add(number)),
    ])
    loadBalancer?.setTargets(() =>
      nodes
        .apis()
        .filter((part) => cluster.isReady(part))
        .map((part) => nodes.get(part).port),
    )
    await cluster.untilReady()
    return cluster
  } catch (error) {
    await close()
    throw error
  }
}
