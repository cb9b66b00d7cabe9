import type { Logger } from 'pino'
import { diskSettings, sandboxSettings, type Config } from '../../config.ts'
import { openDiskSpace, type ProbeDisk } from '../../providers/disk-space.ts'
import { createMediaConfinement } from '../../providers/render/embedded/child.ts'
import { createSandboxes } from '../../providers/sandbox/choose.ts'

export type MachineOptions = {
  config: Config
  /** Instead of the disk that DATA_DIR is on. */
  probeDisk?: ProbeDisk | undefined
  log: Logger
}

export type Machine = Awaited<ReturnType<typeof openMachine>>

/** What a worker has of its machine: it takes a moment to look at, and nothing else is needed for that. */
export async function openMachine({ config, log, probeDisk }: MachineOptions) {
  const disk = await openDiskSpace({ ...diskSettings(config), probe: probeDisk })
  const root = `${config.DATA_DIR}/sandboxes`
  const sandboxes = await createSandboxes({ ...sandboxSettings(config), root, disk, log })
  return { disk, sandboxes, confinement: createMediaConfinement({ root, disk, log }) }
}
