import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { searchEnvironment } from '../../providers/bare-environment.ts'
import { isRoot, isTraversable, serviceUid } from '../../providers/sandbox/local/host.ts'
import type { Print } from '../say.ts'

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Folders of the code hosts `local` and `store`. */
const repositoryFolders = ['repositories', 'repository-store']

/** User of the processes that need no privileges. `prefix` is the start of their command line. */
export type ServiceUser = { uid: number; prefix: string[] } | { uid: undefined; prefix: []; reason?: string }

/**
 * Returns a separate user for the services if this process is root and that user can run them. Otherwise, returns the
 * reason.
 */
export function findServiceUser(config: Config, dataDir: string): ServiceUser {
  if (!isRoot()) return { uid: undefined, prefix: [] }
  const uid = serviceUid()
  const prefix = dropPrivileges(uid, config.PORT)
  const inaccessibleFolder = [checkout, dirname(dataDir), dirname(process.execPath)].find(
    (path) => !isTraversable(path),
  )
  if (inaccessibleFolder !== undefined) return stayRoot(`other users cannot access ${inaccessibleFolder}`)
  const [file = '', ...args] = prefix
  if (spawnSync(file, [...args, 'true'], { env: searchEnvironment, stdio: 'ignore' }).status !== 0)
    return stayRoot('setpriv (package util-linux) cannot change the user')
  for (const path of [join(checkout, 'package.json'), ...listCredentialFiles(config)])
    if (spawnSync(file, [...args, 'test', '-r', path], { env: searchEnvironment, stdio: 'ignore' }).status !== 0)
      return stayRoot(`other users cannot read ${path}`)
  return { uid, prefix }
}

/** Returns whether the worker needs root, to create a user and a memory limit for each local sandbox. */
export function workerNeedsRoot({ SANDBOX_PROVIDER: provider }: Config): boolean {
  return provider !== 'vercel' && provider !== 'e2b'
}

/** Finds the service user and gives it access to the data folder, even if an earlier start used another user. */
export async function prepareServiceUser(config: Config, dataDir: string, print: Print): Promise<ServiceUser> {
  const user = findServiceUser(config, dataDir)
  if (!isRoot()) return user
  await grantDataAccess(dataDir, user.uid ?? 0)
  if (user.uid === undefined) print(`The API runs as root: ${user.reason}.`)
  return user
}

function dropPrivileges(uid: number, port: number): string[] {
  const capabilities = port < 1024 ? '-all,+net_bind_service' : '-all'
  return [
    ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs'],
    [`--bounding-set=${capabilities}`, `--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`],
  ].flat()
}

function stayRoot(reason: string): ServiceUser {
  return { uid: undefined, prefix: [], reason }
}

/** Lists the credential files for Temporal, which the processes must be able to read. */
function listCredentialFiles(config: Config): string[] {
  const { TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY, TEMPORAL_API_KEY_FILE } = config
  const paths = [TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY, TEMPORAL_API_KEY_FILE]
  return paths.filter((path) => path !== undefined)
}

/** Lets the service users traverse the data folder. They can read only their own files. */
export async function openToServices(dataDir: string): Promise<void> {
  if (!isRoot()) return
  await chown(dataDir, 0, serviceUid())
  await chmod(dataDir, 0o710)
}

/** Makes a user the owner of the files that its processes write, and lets it traverse their parent folders. */
async function grantDataAccess(dataDir: string, uid: number): Promise<void> {
  await openToServices(dataDir)
  for (const name of [...repositoryFolders, 'blobs', 'media']) {
    const folder = join(dataDir, name)
    // Includes the folder of incomplete writes, which a worker that runs as root would otherwise own.
    const requiredFolder = repositoryFolders.includes(name) ? folder : join(folder, 'incoming')
    await mkdir(requiredFolder, { recursive: true, mode: 0o700 })
    // An earlier start may have left files that root owns.
    const owner = `${uid}:${uid}`
    const chown = spawn('chown', ['-Rh', owner, folder], { env: searchEnvironment, stdio: 'inherit' })
    const [code] = (await once(chown, 'exit')) as [number]
    if (code !== 0) throw new Error(`failed to make user ${uid} the owner of ${folder}`)
  }
}
