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
  /** Network access of commands. Absent: none. */
  network?: NetworkOptions
  /** The disk that holds the root. */
  disk?: DiskSpace
  /** The object store of snapshots. Absent: they are below the root. */
  snapshotObjects?: BlobObjects | undefined
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

/** Creates the local driver: the configured one or, with `auto`, bubblewrap if its probe succeeds, otherwise just-bash. */
export async function createLocalSandboxes(options: LocalSandboxOptions): Promise<LocalSandboxes> {
  const { provider, log } = options
  const { network, disk, snapshotObjects } = options
  const place = { root: resolve(options.root), network, disk, snapshotObjects }
  if (provider === 'just-bash') return createJustBashSandboxes(place)
  const bubblewrap = await createBubblewrapSandboxes(place)
  const probed = await bubblewrap.probe()
  if (probed.ok) {
    log.info({ isolation: probed.isolation }, 'sandboxes')
    return bubblewrap
  }
  if (provider === 'bubblewrap') throw new Error(`SANDBOX_PROVIDER=bubblewrap: ${probed.isolation}`)
  log.warn(
    { reason: probed.isolation },
    'bubblewrap does not work on this machine; sandboxes have only a simulated shell',
  )
  return createJustBashSandboxes(place)
}
