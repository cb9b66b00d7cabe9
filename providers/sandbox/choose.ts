import { createE2bSandboxes } from './cloud/e2b.ts'
import type { E2bOptions } from './cloud/e2b.ts'
import { createVercelSandboxes } from './cloud/vercel.ts'
import type { VercelOptions } from './cloud/vercel.ts'
import type { SandboxPort } from './index.ts'
import { createLocalSandboxes } from './local.ts'
import type { LocalSandboxOptions } from './local.ts'

type SandboxOptions = Omit<LocalSandboxOptions, 'provider'> & {
  provider: LocalSandboxOptions['provider'] | 'vercel' | 'e2b'
  vercel: VercelOptions
  e2b: E2bOptions
}

/** The driver that the settings ask for. */
export const createSandboxes = async ({ provider, vercel, e2b, ...local }: SandboxOptions): Promise<SandboxPort> => {
  if (provider === 'vercel') return createVercelSandboxes(vercel)
  if (provider === 'e2b') return createE2bSandboxes(e2b)
  return createLocalSandboxes({ ...local, provider })
}
