import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxPlace } from '../../../domain/sandboxes/places.ts'
import { SandboxError, type LocalSandboxes, type Sandbox, type SandboxPort, type SandboxState } from '../index.ts'
import type { Call } from './calls.ts'
import type { Exchange } from './client.ts'
import { MachineLostError, MachineUnreachableError } from './errors.ts'
import { createRemote, type Remote, type SendCall } from './remote.ts'

/** The records of which machine has the files of a sandbox, as seen by one machine. */
export type Places = {
  find(sandboxName: string): Promise<SandboxPlace | undefined>
  /** Returns the place of a sandbox; a sandbox without one is assigned to this machine. */
  claim(sandboxName: string): Promise<SandboxPlace>
  /** Assigns the sandbox of a lost machine to this one, with the next epoch. */
  takeOver(sandboxName: string, from: SandboxPlace): Promise<void>
  release(sandboxName: string, place: SandboxPlace): Promise<void>
  adopt(sandboxNames: string[]): Promise<void>
  listOwn(sandboxNames: string[]): Promise<Map<string, number>>
  findMachine(id: string): Promise<{ address: string | null; isLost: boolean }>
}

export type FleetOptions = {
  local: LocalSandboxes
  /** Id of this machine. */
  machine: string
  places: Places
  exchange: Exchange
  /**
   * Time for which calls that can be repeated wait for a machine that cannot be reached. By default longer than it takes until
   * a machine counts as lost, so that its loss is not an error to the callers.
   */
  waitTimeoutMs?: number
  log: { warn(details: object, message: string): void }
}

const defaultWaitTimeoutMs = 20_000
const retryIntervalMs = 500
const repeatable: readonly Call['op'][] = ['create', 'open', 'condition', 'remove']

/** Attempts at a sandbox whose place changes meanwhile. */
const tries = 5

/**
 * The sandboxes of all machines: those of this machine through the local driver, others through a call to their machine. A
 * machine that cannot be reached is an error that a retry may solve. Only once it is recorded as lost, its sandboxes count
 * as gone, and `create` makes them on this machine, with the next epoch.
 */
export function createFleetSandboxes(options: FleetOptions): SandboxPort {
  const { local, machine, places, exchange, log, waitTimeoutMs = defaultWaitTimeoutMs } = options
  const addresses = new Map<string, string>()

  const locate = async (other: string): Promise<string> => {
    const known = addresses.get(other)
    if (known !== undefined) return known
    const { address, isLost } = await places.findMachine(other)
    if (isLost) throw new MachineLostError(`the machine ${other} of the sandbox is lost`)
    if (address === null) throw new MachineUnreachableError(`the machine ${other} does not serve its sandboxes`)
    addresses.set(other, address)
    return address
  }

  const sendTo = (other: string): SendCall =>
    async function* send(call, options) {
      const patience = repeatable.includes(call.op) && options.content === undefined ? waitTimeoutMs : 0
      for (const until = performance.now() + patience; ;) {
        try {
          return yield* exchange(await locate(other), { ...call, machine: other } as Call, options)
        } catch (error) {
          if (!(error instanceof MachineUnreachableError)) throw error
          addresses.delete(other)
          if (performance.now() >= until) throw error
        }
        await pause(retryIntervalMs)
      }
    }

  const remoteAt = (other: string): Remote => createRemote(sendTo(other), local)

  /** The sandbox releases its place when it is destroyed. */
  const placed = (sandbox: Sandbox): Sandbox => {
    const { sandboxName, machine: at, epoch } = sandbox.state
    if (at === undefined || epoch === undefined) return sandbox
    return {
      ...sandbox,
      destroy: async () => {
        await sandbox.destroy()
        await places.release(sandboxName, { machine: at, epoch, lostAt: null })
      },
    }
  }

  /** The machine that has the files; this one if no place is recorded. */
  const findMachine = async (state: SandboxState): Promise<string> =>
    state.machine ?? (await places.find(state.sandboxName))?.machine ?? machine

  const driverOf = (owner: string): Remote => (owner === machine ? local : remoteAt(owner))

  const removeLeftovers = async (): Promise<void> => {
    const found = await local.list()
    await places.adopt(found.filter(({ epoch }) => epoch === undefined).map(({ name }) => name))
    const own = await places.listOwn(found.map(({ name }) => name))
    for (const { name, epoch = 1 } of found) {
      const current = own.get(name)
      // An equal epoch is in use; a lower one belongs to a creation that has read the place after this list.
      if (current !== undefined && epoch >= current) continue
      log.warn({ sandboxName: name, epoch }, 'removed the files of a sandbox that is not on this machine any more')
      await local.remove({ type: local.type, sandboxName: name })
    }
  }

  return {
    ...local,
    create: async (options) => {
      for (let attempt = 0; attempt < tries; attempt++) {
        const placement = await places.claim(options.name)
        try {
          return placed(await driverOf(placement.machine).create({ ...options, placement }))
        } catch (error) {
          if (!(error instanceof MachineLostError)) throw error
          log.warn({ sandboxName: options.name, machine: placement.machine }, 'restoring the sandbox of a lost machine')
          await places.takeOver(options.name, placement)
        }
      }
      throw new SandboxError(`the sandbox ${options.name} has no place yet`)
    },
    open: async (state) => placed(await driverOf(await findMachine(state)).open(state)),
    condition: async (state) => {
      try {
        return await driverOf(await findMachine(state)).condition(state)
      } catch (error) {
        if (error instanceof MachineLostError) return 'gone'
        throw error
      }
    },
    remove: async ({ type, sandboxName }) => {
      const place = await places.find(sandboxName)
      try {
        await driverOf(place?.machine ?? machine).remove({ type, sandboxName })
      } catch (error) {
        // Its files are removed when the machine returns, because they have no place any more.
        if (!(error instanceof MachineLostError)) throw error
      }
      if (place !== undefined) await places.release(sandboxName, place)
    },
    endOverdue: async () => {
      await local.endOverdue?.()
      await removeLeftovers()
    },
  }
}
