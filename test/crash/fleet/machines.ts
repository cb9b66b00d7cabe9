import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Pool } from '../../../db/postgres/client.ts'
import { waitFor } from '../../../dev/processes/processes.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { endSandboxes, isSuspended, signalProcesses } from '../cluster/leftovers.ts'
import type { End, Member } from '../cluster/member.ts'
import type { Proxies } from '../cluster/nodes.ts'
import { isApi, type NodePartId } from '../cluster/parts.ts'

/** State of a machine in Postgres. `places`: number of sandboxes whose files it has. */
type MachineRecord = { isLost: boolean; places: number }

/** The simulated machines of a cluster. Machine 1 runs `api-1` and `worker-1` with a separate data directory. */
export type Machines = {
  list(): number[]
  add(number: number): Promise<void>
  parts(number: number): NodePartId[]
  dataDir(number: number): string
  /** Returns the URL of the metrics of the machine's API. */
  metricsUrl(number: number): string
  sandboxRoots(): string[]
  /** Lists the machines with files of the sandbox. */
  listWithSandbox(sandboxName: string): number[]
  /** Counts the sandboxes on the machine's disk. */
  countSandboxes(number: number): Promise<number>
  /** Returns the id with which the machine is recorded. Undefined before its first start. */
  findId(number: number): Promise<string | undefined>
  findRecord(id: string): Promise<MachineRecord>
  /** Kills the processes of a machine and of its sandboxes, until `bringBack`. */
  halt(number: number): Promise<End[]>
  /** Halts a machine and removes its disk. */
  lose(number: number): Promise<End[]>
  /** Starts a halted machine with its disk, or a lost machine with an empty disk. */
  bringBack(number: number): Promise<void>
  /** Closes and rejects connections of a machine to Postgres and Temporal. Returns the number of closed connections. */
  partition(number: number): number
  /** Ends a partition. Returns the number of rejected connections. */
  reconnect(number: number): number
  /** Suspends the processes of a machine and of its sandboxes. Returns their number. */
  freeze(number: number): Promise<number>
  thaw(number: number): void
}

export type MachineOptions = {
  folder: string
  db: Pool
  memberOf: (part: NodePartId) => Member
  proxies: (part: NodePartId) => Proxies
  start: (part: NodePartId, settings: Record<string, string>) => Promise<void>
}

const readyTimeoutMs = 60_000
/** Seconds without a report after which a machine is considered lost, unless one of its processes holds its lock. */
const lostAfterSeconds = 15

const listParts = (number: number): NodePartId[] => [`worker-${number}`, `api-${number}`]

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0)

export const createMachines = ({ folder, db, memberOf, proxies, start }: MachineOptions): Machines => {
  const numbers = new Set<number>()
  const metricsPorts = new Map<number, number>()
  const dataDir = (number: number): string => join(folder, `machine-${number}`)
  const sandboxRoot = (number: number): string => join(dataDir(number), 'sandboxes')
  const listMembers = (number: number): Member[] => listParts(number).map(memberOf)
  const listProxies = (number: number) => listParts(number).flatMap((part) => Object.values(proxies(part)))
  /** Part of a path that only the command lines, environments and mounts of this machine contain. */
  const uniquePath = (number: number): string => join(basename(folder), `machine-${number}`)

  const machines: Machines = {
    list: () => [...numbers],
    parts: listParts,
    dataDir,
    metricsUrl: (number) => `http://127.0.0.1:${metricsPorts.get(number)}/metrics`,
    sandboxRoots: () => [...numbers].map(sandboxRoot),
    listWithSandbox: (sandboxName) =>
      [...numbers].filter((number) => existsSync(join(sandboxRoot(number), sandboxName))),
    countSandboxes: async (number) => (await readdir(sandboxRoot(number)).catch(() => [])).length,
    findId: async (number) => {
      const file = await readFile(join(dataDir(number), 'machine.json'), 'utf8').catch(() => undefined)
      return file === undefined ? undefined : (JSON.parse(file) as { id: string }).id
    },
    findRecord: async (id) => {
      const [record] = await db<MachineRecord[]>`
        select (select count(*)::int from sandbox_places where machine_id = ${id}) as places,
          not exists (
            select from machines where id = ${id}
              and seen_at > now() - make_interval(secs => ${lostAfterSeconds})) as "isLost"`
      if (record === undefined) throw new Error(`no record of machine ${id}`)
      return record
    },
    add: async (number) => {
      numbers.add(number)
      await mkdir(dataDir(number), { recursive: true })
      const metricsPort = await freePort()
      metricsPorts.set(number, metricsPort)
      const common = { DATA_DIR: dataDir(number) }
      const sandboxAddress = `127.0.0.1:${await freePort()}`
      const buildSettings = (part: NodePartId) =>
        isApi(part) ? { ...common, METRICS_PORT: String(metricsPort) } : { ...common, SANDBOX_ADDRESS: sandboxAddress }
      await Promise.all(listParts(number).map((part) => start(part, buildSettings(part))))
    },
    halt: async (number) => {
      const members = listMembers(number)
      for (const member of members) member.hold()
      const running = members.filter((member) => member.pid() !== undefined)
      const ends = await Promise.all(running.map((member) => member.end('SIGKILL')))
      await endSandboxes(sandboxRoot(number))
      return ends
    },
    lose: async (number) => {
      const ends = await machines.halt(number)
      signalProcesses(uniquePath(number), 'SIGKILL')
      await rm(dataDir(number), { recursive: true, force: true })
      return ends
    },
    bringBack: async (number) => {
      await mkdir(dataDir(number), { recursive: true })
      const members = listMembers(number)
      for (const member of members) member.release()
      await Promise.all(members.map((member) => member.untilReady(readyTimeoutMs)))
    },
    partition: (number) => {
      const affected = listProxies(number)
      for (const proxy of affected) proxy.refuse()
      return sum(affected.map((proxy) => proxy.cut()))
    },
    reconnect: (number) => {
      const affected = listProxies(number)
      const refused = sum(affected.map((proxy) => proxy.counts().refused))
      for (const proxy of affected) proxy.heal()
      return refused
    },
    freeze: async (number) => {
      const pids = signalProcesses(uniquePath(number), 'SIGSTOP')
      const areSuspended = async () => (await Promise.all(pids.map(isSuspended))).every(Boolean)
      if (!(await waitFor(areSuspended, 5000, 5))) throw new Error(`machine ${number} was not suspended`)
      return pids.length
    },
    thaw: (number) => void signalProcesses(uniquePath(number), 'SIGCONT'),
  }
  return machines
}
