import type { Print } from '../say.ts'
import { ensurePackage, installHint as hintOf, runs } from './packages.ts'

const name = 'ffmpeg'

function hasFfmpeg(): boolean {
  return runs('ffmpeg', ['-version'])
}

/** Returns the install command for a person. */
export function installHint(): string {
  return hintOf(name)
}

/** Installs ffmpeg (about eighty packages) if it is missing and this process has the rights. Never throws. */
export async function ensureFfmpeg(print: Print): Promise<void> {
  const ffmpeg = {
    name,
    isInstalled: hasFfmpeg,
    purpose: 'it encodes music and video. Some minutes at most, and nothing waits for it',
    without: 'tracks are WAV files, and videos fail. To install it',
    timeoutMs: 300_000,
  }
  await ensurePackage(ffmpeg, print)
}
