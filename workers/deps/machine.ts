import type { Logger } from 'pino'
import { bucketOptions, diskSettings, sandboxSettings, type Config } from '../../config.ts'
import { openSharedObjects } from '../../providers/blob/choose.ts'
import { openDiskSpace, type ProbeDisk } from '../../providers/disk-space.ts'
import { readMachineId } from '../../providers/machine-id.ts'
import { createMediaConfinement } from '../../providers/render/embedded/child.ts'
import { createSandboxes } from '../../providers/sandbox/choose.ts'

export type MachineOptions = {
  config: Config
  /** Replaces the probe of the disk that holds DATA_DIR. */
  probeDisk?: ProbeDisk | undefined
  log: Logger
}

export type Machine = Awaited<ReturnType<typeof openMachine>>

/**
 * Opens the dependencies on the worker's machine. They do not need the other dependencies, so they can be opened
 * concurrently.
 */
export async function openMachine({ config, log, probeDisk }: MachineOptions) {
  const disk = await openDiskSpace({ ...diskSettings(config), probe: probeDisk })
  const root = `${config.DATA_DIR}/sandboxes`
  const snapshotObjects = await openSharedObjects(bucketOptions(config))
  const [id, sandboxes] = await Promise.all([
    readMachineId(config.DATA_DIR),
    createSandboxes({ ...sandboxSettings(config), root, disk, snapshotObjects, log }),
  ])
  return { id, disk, sandboxes, confinement: createMediaConfinement({ root, disk, log }) }
}
