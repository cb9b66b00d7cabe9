import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { freePort } from '../../../../dev/stack/ports.ts'
import type { SandboxPlace } from '../../../../domain/sandboxes/places.ts'
import { createFleetClient } from '../../../../providers/sandbox/fleet/client.ts'
import { createFleetSandboxes, type Places } from '../../../../providers/sandbox/fleet/fleet.ts'
import { serveSandboxes, type FleetServer } from '../../../../providers/sandbox/fleet/server.ts'
import type { LocalSandboxes, SandboxPort } from '../../../../providers/sandbox/index.ts'
import type { NetworkAccess } from '../../../../providers/sandbox/network/access.ts'
import type { Driver } from '../contract.ts'

const log = { warn: () => {} }
export const fleetKey = { secret: 'a secret of a fleet', deployment: 'deployment/1' }

export type TestMachine = {
  id: string
  root: string
  address: string
  local: LocalSandboxes
  port: SandboxPort
  /** Closes the servers of the machine, which simulates a network partition. */
  cut(): Promise<void>
  /** Starts another server, which simulates another process of the machine. */
  serve(): Promise<void>
  closeOldestServer(): Promise<void>
}

/** Creates a fleet whose machines run in this process and whose sandbox locations are in memory. */
export const createTestFleet = (
  driver: Driver,
  resolveNetwork: (grant: string) => NetworkAccess = () => ({ services: [] }),
) => {
  const records = new Map<string, SandboxPlace>()
  const machines = new Map<string, TestMachine>()
  const lostMachines = new Set<string>()
  const crashedMachines = new Set<string>()
  const closers: (() => Promise<unknown> | void)[] = []

  const isReplaceable = (machine: string): boolean => lostMachines.has(machine) || crashedMachines.has(machine)

  const createPlaces = (machine: string): Places => ({
    find: (name) => Promise.resolve(records.get(name)),
    claim: (name) => {
      const place = records.get(name) ?? { machine, epoch: 1, lostAt: null }
      records.set(name, place)
      return Promise.resolve(place)
    },
    takeOver: (name, from) => {
      const place = records.get(name)
      if (place?.machine === from.machine && place.epoch === from.epoch && isReplaceable(from.machine))
        records.set(name, { machine, epoch: from.epoch + 1, lostAt: Date.now() })
      return Promise.resolve()
    },
    release: (name, from) => {
      if (records.get(name)?.epoch === from.epoch) records.delete(name)
      return Promise.resolve()
    },
    adopt: (names) => {
      for (const name of names) if (!records.has(name)) records.set(name, { machine, epoch: 1, lostAt: null })
      return Promise.resolve()
    },
    listOwn: (names) =>
      Promise.resolve(
        new Map(
          names.flatMap((name) => {
            const place = records.get(name)
            return place?.machine === machine ? [[name, place.epoch] as const] : []
          }),
        ),
      ),
    hasCrashed: (_, id) => Promise.resolve(crashedMachines.has(id)),
    findCheckpoint: () => Promise.resolve(undefined),
    findMachine: (id) =>
      Promise.resolve({
        address: machines.get(id)?.address ?? null,
        isLost: lostMachines.has(id) || !machines.has(id),
      }),
  })

  const add = async (root?: string): Promise<TestMachine> => {
    const id = randomUUID()
    const folder = root ?? (await mkdtemp(join(tmpdir(), 'backline-machine-')))
    const local = (await driver.open(folder)) as LocalSandboxes
    const client = createFleetClient(fleetKey)
    const address = `127.0.0.1:${await freePort()}`
    const servers: FleetServer[] = []
    const machine: TestMachine = {
      id,
      root: folder,
      address,
      local,
      port: createFleetSandboxes({
        local,
        machine: id,
        places: createPlaces(id),
        exchange: client.exchange,
        waitTimeoutMs: 100,
        log,
      }),
      serve: async () => {
        servers.push(await serveSandboxes({ local, machine: id, key: fleetKey, address, resolveNetwork, log }))
      },
      closeOldestServer: async () => {
        await servers.shift()?.close(0)
      },
      cut: async () => {
        for (const server of servers.splice(0)) await server.close(0)
      },
    }
    await machine.serve()
    machines.set(id, machine)
    closers.push(async () => {
      client.close()
      await machine.cut()
      for (const { name } of await local.list()) await local.remove({ type: local.type, sandboxName: name })
      if (root === undefined) await rm(folder, { recursive: true, force: true })
    })
    return machine
  }

  return {
    add,
    records,
    /** Records that a machine is lost. */
    lose: (id: string) => void lostMachines.add(id),
    /** Records that a machine has crashed. */
    crash: (id: string) => void crashedMachines.add(id),
    /** Records that a lost machine is back. */
    recover: (id: string) => void lostMachines.delete(id),
    close: async () => {
      for (const close of closers) await close()
    },
  }
}
