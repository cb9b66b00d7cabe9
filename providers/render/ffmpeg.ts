import { execFile } from 'node:child_process'
import { access, chmod, constants, copyFile, mkdir } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { searchEnvironment } from '../bare-environment.ts'

/**
 * Absolute path of an ffmpeg: `configured` (FFMPEG_PATH), else the system's, else the package's. Undefined when it does not
 * run.
 */
export async function findFfmpeg(configured: string | undefined, folder: string): Promise<string | undefined> {
  if (configured !== undefined) return (await runs(configured)) ? resolve(configured) : undefined
  for (const place of searchEnvironment.PATH.split(delimiter).map((path) => join(path, 'ffmpeg')))
    if ((await isExecutable(place)) && (await runs(place))) return resolve(place)
  const packaged = await ofPackage(folder)
  return packaged !== undefined && (await runs(packaged)) ? packaged : undefined
}

function runs(path: string): Promise<boolean> {
  return new Promise((done) => {
    execFile(path, ['-version'], { env: searchEnvironment, timeout: 10_000 }, (error) => done(error === null))
  })
}

/** The program of the package, which nothing has made executable: repaired, or else copied to `folder`. */
async function ofPackage(folder: string): Promise<string | undefined> {
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

/** Undefined on a platform that the package has no program for. */
async function pathInPackage(): Promise<string | undefined> {
  try {
    return (await import('@ffmpeg-installer/ffmpeg')).default.path
  } catch {
    return undefined
  }
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
