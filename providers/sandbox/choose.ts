import type { E2bOptions } from './cloud/e2b.ts'
import type { VercelOptions } from './cloud/vercel.ts'
import type { LocalSandboxes, SandboxPort } from './index.ts'
import { createLocalSandboxes, type LocalSandboxOptions } from './local/local.ts'

type SandboxOptions = Omit<LocalSandboxOptions, 'provider'> & {
  provider: LocalSandboxOptions['provider'] | 'vercel' | 'e2b'
  vercel: VercelOptions
  e2b: E2bOptions
}

/** Creates the configured driver. Loads a vendor's library only if that vendor is configured, because loading takes 0.3 s. */
export async function createSandboxes({
  provider,
  vercel,
  e2b,
  ...local
}: SandboxOptions): Promise<SandboxPort | LocalSandboxes> {
  if (provider === 'vercel') return (await import('./cloud/vercel.ts')).createVercelSandboxes(vercel)
  if (provider === 'e2b') return (await import('./cloud/e2b.ts')).createE2bSandboxes(e2b)
  return createLocalSandboxes({ ...local, provider })
}
