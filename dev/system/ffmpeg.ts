import type { Say } from '../say.ts'
import { ensurePackage, installHint as hintOf, runs } from './packages.ts'

const name = 'ffmpeg'

/** The system's; a build of 2018 comes as a package of ours for where there is none. */
export function hasFfmpeg(): boolean {
  return runs('ffmpeg', ['-version']) && runs('ffprobe', ['-version'])
}

/** The command that a person can run. */
export function installHint(): string {
  return hintOf(name)
}

/** Installs ffmpeg where it is missing and we may: some eighty packages. Never an obstacle. */
export async function ensureFfmpeg(say: Say): Promise<void> {
  const ffmpeg = {
    name,
    isInstalled: hasFfmpeg,
    purpose: 'it encodes music and video. Some minutes at most, and nothing waits for it',
    without: 'music and video are encoded by the older one that came with the packages. For the current one',
    timeoutMs: 300_000,
  }
  await ensurePackage(ffmpeg, say)
}
