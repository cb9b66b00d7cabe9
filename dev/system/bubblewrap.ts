import type { Print } from '../say.ts'
import { ensurePackage, installHint as packageInstallHint, succeeds } from './packages.ts'

const name = 'bubblewrap'

export function hasBubblewrap(): boolean {
  return succeeds('bwrap', ['--version'])
}

/** Returns the install command that a person can run. */
export function installHint(): string {
  return packageInstallHint(name)
}

/** Installs bubblewrap if it is missing and this process has the privileges. Never throws. */
export async function ensureBubblewrap(print: Print): Promise<void> {
  if (process.platform !== 'linux') return
  const bubblewrap = {
    name,
    isInstalled: hasBubblewrap,
    purpose: 'sandboxes use it for full isolation',
    without: 'sandboxes run in a simulated shell. For full isolation',
    timeoutMs: 60_000,
  }
  await ensurePackage(bubblewrap, print)
}
