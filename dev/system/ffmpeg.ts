import type { Print } from '../say.ts'
import { ensurePackage, installHint as hintOf, runs } from './packages.ts'

const name = 'ffmpeg'

function hasFfmpeg(): boolean {
  return runs('ffmpeg', ['-version'])
}

/** The command that a person can run. */
export function installHint(): string {
  return hintOf(name)
}

/** Installs ffmpeg where it is missing and we may: some eighty packages. Never an obstacle. */
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
