import type { Print } from '../say.ts'
import { ensurePackage, succeeds } from './packages.ts'

export function hasBubblewrap(): boolean {
  return succeeds('bwrap', ['--version'])
}

/** Installs bubblewrap if it is missing and this process has the privileges. Never throws. */
export async function ensureBubblewrap(print: Print): Promise<void> {
  if (process.platform !== 'linux') return
  const bubblewrap = {
    name: 'bubblewrap',
    isInstalled: hasBubblewrap,
    purpose: 'sandboxes use it for full isolation',
    without: 'sandboxes run in a simulated shell. For full isolation',
    timeoutMs: 60_000,
  }
  await ensurePackage(bubblewrap, print)
}

/** Installs ffmpeg (about eighty packages) if it is missing and this process has the privileges. Never throws. */
export async function ensureFfmpeg(print: Print): Promise<void> {
  const ffmpeg = {
    name: 'ffmpeg',
    isInstalled: () => succeeds('ffmpeg', ['-version']),
    purpose: 'it encodes music and video. This takes at most a few minutes in the background',
    without: 'tracks are WAV files, and videos fail. To install it',
    timeoutMs: 300_000,
  }
  await ensurePackage(ffmpeg, print)
}
