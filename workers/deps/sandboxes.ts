import type { Logger } from 'pino'
import { createActivityDatabase } from '../../activities/runtime/database.ts'
import { createRunNetwork } from '../../activities/sandboxes/network.ts'
import type { Config } from '../../config.ts'
import { readDeployment } from '../../db/deployment.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { createSandboxPlaces } from '../../db/sandboxes/places.ts'
import type { Lifetime } from '../../lifetime.ts'
import { createFleetClient } from '../../providers/sandbox/fleet/client.ts'
import { createFleetSandboxes } from '../../providers/sandbox/fleet/fleet.ts'
import { serveSandboxes, type FleetServer } from '../../providers/sandbox/fleet/server.ts'
import type { LocalSandboxes, SandboxPort } from '../../providers/sandbox/index.ts'
import type { Machine } from './machine.ts'
import { toPlatform } from './settings.ts'

export type MachineSandboxes = {
  sandboxes: SandboxPort
  /** Maximum size of the files in a checkpoint, in bytes; 0 without checkpoints. */
  checkpointBytes: number
  /**
   * Serves the sandboxes of this machine to the other machines. First removes files of sandboxes that other machines have
   * taken over.
   */
  serve(): Promise<FleetServer | undefined>
}

/** Opens the sandboxes of this machine or, with SANDBOX_ADDRESS and a local driver, of all machines. */
export async function openSandboxes(
  { config, log }: { config: Config; log: Logger },
  { id: machine, sandboxes }: Machine,
  database: Pool,
  lifetime: Lifetime,
): Promise<MachineSandboxes> {
  const { SANDBOX_ADDRESS: address } = config
  if (address === undefined || !isLocal(sandboxes))
    return { sandboxes, checkpointBytes: 0, serve: () => Promise.resolve(undefined) }
  const db = createActivityDatabase(database)
  const platform = toPlatform(config)
  const deployment = await readDeployment(db)
  const key = {
    secret: platform.serverSecret,
    deployment: `${deployment.id}/${deployment.epoch}/${deployment.database}`,
  }
  const client = lifetime.register(createFleetClient(key), async (client) => client.close())
  const places = createSandboxPlaces(db, machine)
  const fleet = createFleetSandboxes({ local: sandboxes, machine, places, exchange: client.exchange, log })
  const resolveNetwork = (runId: string) => createRunNetwork({ db, platform }, runId)
  return {
    sandboxes: fleet,
    checkpointBytes: sandboxes.takesCheckpoints ? config.SANDBOX_CHECKPOINT_MB * 1_000_000 : 0,
    serve: async () => {
      await fleet.endOverdue?.()
      return serveSandboxes({ local: sandboxes, machine, key, address, resolveNetwork, log })
    },
  }
}

function isLocal(sandboxes: SandboxPort | LocalSandboxes): sandboxes is LocalSandboxes {
  return 'list' in sandboxes
}
