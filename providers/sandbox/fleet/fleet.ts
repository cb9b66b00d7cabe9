import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxPlace } from '../../../domain/sandboxes/places.ts'
import {
  SandboxError,
  type CreateSandbox,
  type LocalSandboxes,
  type Sandbox,
  type SandboxPort,
  type SandboxState,
} from '../index.ts'
import type { Call } from './calls.ts'
import type { Exchange } from './client.ts'
import { MachineLostError, MachineUnreachableError } from './errors.ts'
import { createRemote, type Remote, type SendCall } from './remote.ts'

/** Records of which machine has the files of a sandbox, from the perspective of this machine. */
export type Places = {
  find(sandboxName: string): Promise<SandboxPlace | undefined>
  /** Returns the place of a sandbox. Assigns a sandbox without a place to this machine. */
  claim(sandboxName: string): Promise<SandboxPlace>
  /** Assigns the sandbox of a lost machine to this machine, with the next epoch. */
  takeOver(sandboxName: string, from: SandboxPlace): Promise<void>
  release(sandboxName: string, place: SandboxPlace): Promise<void>
  /** Returns whether the machine has crashed and the sandbox can be restored without waiting for its loss. */
  hasCrashed(sandboxName: string, machine: string): Promise<boolean>
  /** Returns the newest checkpoint of an older epoch, from which a lost sandbox is restored. */
  findCheckpoint(sandboxName: string, epoch: number): Promise<CreateSandbox['checkpoint']>
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
   * Time for which repeatable calls wait for an unreachable machine. The default exceeds the time until a machine is recorded
   * as lost, so that callers see the loss and not a connection error.
   */
  waitTimeoutMs?: number
  log: { warn(details: object, message: string): void }
}

const defaultWaitTimeoutMs = 20_000
const retryIntervalMs = 250
const repeatable: readonly Call['op'][] = ['create', 'open', 'condition', 'remove']

/** Maximum number of attempts to create a sandbox whose place changes concurrently. */
const maxAttempts = 5

/**
 * Creates a driver for the sandboxes of all machines. It uses the local driver for sandboxes on this machine and calls the
 * other machines for their sandboxes. An unreachable machine causes a retryable error. After a machine is recorded as lost, or
 * has crashed and is unreachable, its sandboxes are gone, and `create` creates them on this machine with the next epoch.
 */
export function createFleetSandboxes(options: FleetOptions): SandboxPort {
  const { local, machine, places, exchange, log, waitTimeoutMs = defaultWaitTimeoutMs } = options
  const addresses = new Map<string, string>()

  const findAddress = async (machineId: string): Promise<string> => {
    const known = addresses.get(machineId)
    if (known !== undefined) return known
    const { address, isLost } = await places.findMachine(machineId)
    if (isLost) throw new MachineLostError(`the machine ${machineId} of the sandbox is lost`)
    if (address === null) throw new MachineUnreachableError(`the machine ${machineId} does not serve its sandboxes`)
    addresses.set(machineId, address)
    return address
  }

  const sendTo = (machineId: string): SendCall =>
    async function* send(call, options) {
      const waitMs = repeatable.includes(call.op) && options.content === undefined ? waitTimeoutMs : 0
      for (const until = performance.now() + waitMs; ;) {
        try {
          return yield* exchange(await findAddress(machineId), { ...call, machine: machineId } as Call, options)
        } catch (error) {
          if (!(error instanceof MachineUnreachableError)) throw error
          addresses.delete(machineId)
          if (waitMs > 0 && (await places.hasCrashed(call.state.sandboxName, machineId)))
            throw new MachineLostError(`the machine ${machineId} of the sandbox has crashed`, { cause: error })
          if (performance.now() >= until) throw error
        }
        await pause(retryIntervalMs)
      }
    }

  const remoteAt = (machineId: string): Remote => createRemote(sendTo(machineId), local)

  /** Returns the sandbox with a `destroy` that also releases its place. */
  const withRelease = (sandbox: Sandbox): Sandbox => {
    const { sandboxName, machine: owner, epoch } = sandbox.state
    if (owner === undefined || epoch === undefined) return sandbox
    return {
      ...sandbox,
      destroy: async () => {
        await sandbox.destroy()
        await places.release(sandboxName, { machine: owner, epoch, lostAt: null })
      },
    }
  }

  /** Returns the machine that has the files; this machine if no place is recorded. */
  const findMachine = async (state: SandboxState): Promise<string> =>
    state.machine ?? (await places.find(state.sandboxName))?.machine ?? machine

  const selectDriver = (owner: string): Remote => (owner === machine ? local : remoteAt(owner))

  const removeLeftovers = async (): Promise<void> => {
    const localSandboxes = await local.list()
    await places.adopt(localSandboxes.filter(({ epoch }) => epoch === undefined).map(({ name }) => name))
    const ownEpochs = await places.listOwn(localSandboxes.map(({ name }) => name))
    for (const { name, epoch = 1 } of localSandboxes) {
      const current = ownEpochs.get(name)
      // Files of the current epoch are in use. Files of a newer epoch belong to a concurrent creation.
      if (current !== undefined && epoch >= current) continue
      log.warn({ sandboxName: name, epoch }, 'removed the files of a sandbox that is no longer on this machine')
      await local.remove({ type: local.type, sandboxName: name })
    }
  }

  return {
    ...local,
    create: async (options) => {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const placement = await places.claim(options.name)
        const isRestored = local.takesCheckpoints && placement.lostAt !== null
        const checkpoint = isRestored ? await places.findCheckpoint(options.name, placement.epoch) : undefined
        const placedOptions = { ...options, placement, ...(checkpoint && { checkpoint }) }
        try {
          return withRelease(await selectDriver(placement.machine).create(placedOptions))
        } catch (error) {
          if (!(error instanceof MachineLostError)) throw error
          log.warn({ sandboxName: options.name, machine: placement.machine }, 'restoring the sandbox of a lost machine')
          await places.takeOver(options.name, placement)
        }
      }
      throw new SandboxError(`the place of the sandbox ${options.name} changed during every attempt`)
    },
    open: async (state) => withRelease(await selectDriver(await findMachine(state)).open(state)),
    condition: async (state) => {
      try {
        return await selectDriver(await findMachine(state)).condition(state)
      } catch (error) {
        if (error instanceof MachineLostError) return 'gone'
        throw error
      }
    },
    remove: async ({ type, sandboxName }) => {
      const place = await places.find(sandboxName)
      try {
        await selectDriver(place?.machine ?? machine).remove({ type, sandboxName })
      } catch (error) {
        // If the machine returns, it removes the files, because they have no place.
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
