import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { searchEnvironment } from '../bare-environment.ts'

/** Returns the absolute path of a working ffmpeg, from `configured` (FFMPEG_PATH) or the system; undefined if there is none. */
export async function findFfmpeg(configured: string | undefined): Promise<string | undefined> {
  if (configured !== undefined) return (await canRun(configured)) ? resolve(configured) : undefined
  for (const candidate of searchEnvironment.PATH.split(delimiter).map((path) => join(path, 'ffmpeg')))
    if ((await isExecutable(candidate)) && (await canRun(candidate))) return resolve(candidate)
  return undefined
}

function canRun(path: string): Promise<boolean> {
  return new Promise((done) => {
    execFile(path, ['-version'], { env: searchEnvironment, timeout: 10_000 }, (error) => done(error === null))
  })
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
