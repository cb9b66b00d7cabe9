import { resolve } from 'node:path'
import { createBubblewrapSandboxes } from './bubblewrap.ts'
import type { SandboxPort } from './index.ts'
import { createJustBashSandboxes } from './just-bash.ts'

export type LocalSandboxOptions = {
  root: string
  provider: 'auto' | 'bubblewrap' | 'just-bash'
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

/** The local driver: bubblewrap where its probe passes, else just-bash; or the one that is asked for. */
export const createLocalSandboxes = async ({ root, provider, log }: LocalSandboxOptions): Promise<SandboxPort> => {
  const at = resolve(root)
  if (provider === 'just-bash') return createJustBashSandboxes({ root: at })
  const bubblewrap = await createBubblewrapSandboxes({ root: at })
  const probed = await bubblewrap.probe()
  if (probed.ok) {
    log.info({ isolation: probed.isolation }, 'sandboxes')
    return bubblewrap
  }
  if (provider === 'bubblewrap') throw new Error(`SANDBOX_PROVIDER=bubblewrap: ${probed.isolation}`)
  log.warn({ reason: probed.isolation }, 'bubblewrap does not work here: sandboxes have a simulated shell only')
  return createJustBashSandboxes({ root: at })
}
