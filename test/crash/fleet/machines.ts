import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../dev/stack/ports.ts'
import { endSandboxes } from '../cluster/leftovers.ts'
import type { Member } from '../cluster/member.ts'
import { isApi, type NodePartId } from '../cluster/parts.ts'

/** The simulated machines of a cluster. Machine 1 runs `api-1` and `worker-1` with a separate data directory. */
export type Machines = {
  list(): number[]
  add(number: number): Promise<void>
  dataDir(number: number): string
  /** Returns the URL of the metrics of the machine's API. */
  metricsUrl(number: number): string
  sandboxRoots(): string[]
  /** Lists the machines with files of the sandbox. */
  listWithSandbox(sandboxName: string): number[]
  /** Kills the processes of a machine and of its sandboxes, and removes its disk, until `bringBack`. */
  lose(number: number): Promise<void>
  /** Starts a lost machine with an empty disk. */
  bringBack(number: number): Promise<void>
}

export type MachineOptions = {
  folder: string
  memberOf: (part: NodePartId) => Member
  start: (part: NodePartId, settings: Record<string, string>) => Promise<void>
}

const readyMs = 60_000

const listParts = (number: number): NodePartId[] => [`worker-${number}`, `api-${number}`]

export const createMachines = ({ folder, memberOf, start }: MachineOptions): Machines => {
  const numbers = new Set<number>()
  const metricsPorts = new Map<number, number>()
  const dataDir = (number: number): string => join(folder, `machine-${number}`)
  const sandboxRoot = (number: number): string => join(dataDir(number), 'sandboxes')
  const listMembers = (number: number): Member[] => listParts(number).map(memberOf)

  return {
    list: () => [...numbers],
    dataDir,
    metricsUrl: (number) => `http://127.0.0.1:${metricsPorts.get(number)}/metrics`,
    sandboxRoots: () => [...numbers].map(sandboxRoot),
    listWithSandbox: (sandboxName) =>
      [...numbers].filter((number) => existsSync(join(sandboxRoot(number), sandboxName))),
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
    lose: async (number) => {
      const members = listMembers(number)
      for (const member of members) member.hold()
      await Promise.all(members.map((member) => member.end('SIGKILL')))
      await endSandboxes(sandboxRoot(number))
      await rm(dataDir(number), { recursive: true, force: true })
    },
    bringBack: async (number) => {
      await mkdir(dataDir(number), { recursive: true })
      const members = listMembers(number)
      for (const member of members) member.release()
      await Promise.all(members.map((member) => member.untilReady(readyMs)))
    },
  }
}
