import { execFile } from 'node:child_process'
import { access, chmod, constants, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

const runs = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(path, ['-version'], { timeout: 10_000 }, (error) => resolve(error === null))
  })

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Undefined on a platform that the package has no program for. */
const pathInPackage = async (): Promise<string | undefined> => {
  try {
    return (await import('@ffmpeg-installer/ffmpeg')).default.path
  } catch {
    return undefined
  }
}

/** The program of the package, which nothing has made executable: repaired, or else copied to `folder`. */
const ofPackage = async (folder: string): Promise<string | undefined> => {
  const path = await pathInPackage()
  if (path === undefined || (await isExecutable(path))) return path
  try {
    await chmod(path, 0o755)
    return path
  } catch {
    const copy = join(folder, 'ffmpeg')
    if (await isExecutable(copy)) return copy
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await copyFile(path, copy)
    await chmod(copy, 0o700)
    return copy
  }
}

/** `configured` (FFMPEG_PATH), else the system's, else the package's; undefined when it does not run. */
export const findFfmpeg = async (configured: string | undefined, folder: string): Promise<string | undefined> => {
  if (configured !== undefined) return (await runs(configured)) ? configured : undefined
  if (await runs('ffmpeg')) return 'ffmpeg'
  const packaged = await ofPackage(folder)
  return packaged !== undefined && (await runs(packaged)) ? packaged : undefined
}
