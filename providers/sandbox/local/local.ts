import { resolve } from 'node:path'
import type { BlobObjects } from '../../blob/index.ts'
import type { DiskSpace } from '../../disk-space.ts'
import { createBubblewrapSandboxes } from '../bubblewrap/bubblewrap.ts'
import type { LocalSandboxes } from '../index.ts'
import { createJustBashSandboxes } from '../just-bash.ts'
import type { NetworkOptions } from '../network/open.ts'

export type LocalSandboxOptions = {
  root: string
  provider: 'auto' | 'bubblewrap' | 'just-bash'
  /** Network access of commands. If absent, commands have no network. */
  network?: NetworkOptions
  /** Disk of the root folder. */
  disk?: DiskSpace
  /** Object store of snapshots. Defaults to a folder below the root. */
  snapshotObjects?: BlobObjects | undefined
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

/** Creates the configured local driver. `auto` selects bubblewrap if its probe succeeds, otherwise just-bash. */
export async function createLocalSandboxes(options: LocalSandboxOptions): Promise<LocalSandboxes> {
  const { provider, log } = options
  const { network, disk, snapshotObjects } = options
  const driverOptions = { root: resolve(options.root), network, disk, snapshotObjects }
  if (provider === 'just-bash') return createJustBashSandboxes(driverOptions)
  const bubblewrap = await createBubblewrapSandboxes(driverOptions)
  const probeResult = await bubblewrap.probe()
  if (probeResult.ok) {
    log.info({ isolation: probeResult.isolation }, 'sandboxes use bubblewrap')
    return bubblewrap
  }
  if (provider === 'bubblewrap') throw new Error(`SANDBOX_PROVIDER=bubblewrap: ${probeResult.isolation}`)
  log.warn(
    { reason: probeResult.isolation },
    'bubblewrap does not work on this machine; sandboxes have only a simulated shell',
  )
  return createJustBashSandboxes(driverOptions)
}
