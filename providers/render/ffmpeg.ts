import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** What is asked of an ffmpeg. */
export const runsFfmpeg = (path: string): boolean => spawnSync(path, ['-version'], { stdio: 'ignore' }).status === 0

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The one that came as a package, whose files nothing has made executable: repaired, or else copied to `folder`. */
const ofPackage = async (folder: string): Promise<string | undefined> => {
  let path: string
  try {
    path = (await import('@ffmpeg-installer/ffmpeg')).default.path
  } catch {
    return undefined
  }
  if (isExecutable(path)) return path
  try {
    chmodSync(path, 0o755)
    return path
  } catch {
    const copy = join(folder, 'ffmpeg')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    copyFileSync(path, copy)
    chmodSync(copy, 0o700)
    return copy
  }
}

/** `configured` (FFMPEG_PATH), else the system's, else the package's; undefined when none of them runs. */
export const findFfmpeg = async (configured: string | undefined, folder: string): Promise<string | undefined> => {
  if (configured !== undefined) return runsFfmpeg(configured) ? configured : undefined
  if (runsFfmpeg('ffmpeg')) return 'ffmpeg'
  const packaged = await ofPackage(folder)
  return packaged !== undefined && runsFfmpeg(packaged) ? packaged : undefined
}
