import { chmod, chown, mkdir } from 'node:fs/promises'
import { isRoot, serviceUid } from '../../../providers/sandbox/local/host.ts'

/** Maximum length of the path of a Unix socket, in bytes; the shortest of all systems (macOS). */
const maxPathBytes = 103

/**
 * Returns the folder of the Unix socket of the embedded Postgres; undefined if the path of the socket would be too long or
 * contains characters that delimit lists of folders.
 */
export function locateSocketFolder(dataDir: string): string | undefined {
  const folder = `${dataDir}.socket`
  const isUsable = Buffer.byteLength(`${folder}/.s.PGSQL.65535`) <= maxPathBytes && !/[,"\\]/.test(folder)
  return process.platform !== 'win32' && isUsable ? folder : undefined
}

/** Creates the folder for the server, whose user is `owner`, and for the group of the API. */
export async function prepareSocketFolder(folder: string, owner: number | undefined): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o750)
  if (owner !== undefined) await chown(folder, owner, isRoot() ? serviceUid() : owner)
}
