import type { Print } from '../say.ts'
import { ensurePackage, installHint as packageInstallHint, succeeds } from './packages.ts'

const name = 'ffmpeg'

function hasFfmpeg(): boolean {
  return succeeds('ffmpeg', ['-version'])
}

/** Returns the install command that a person can run. */
export function installHint(): string {
  return packageInstallHint(name)
}

/** Installs ffmpeg (about eighty packages) if it is missing and this process has the privileges. Never throws. */
export async function ensureFfmpeg(print: Print): Promise<void> {
  const ffmpeg = {
    name,
    isInstalled: hasFfmpeg,
    purpose: 'it encodes music and video. This takes at most a few minutes in the background',
    without: 'tracks are WAV files, and videos fail. To install it',
    timeoutMs: 300_000,
  }
  await ensurePackage(ffmpeg, print)
}
