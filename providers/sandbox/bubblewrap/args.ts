import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isTraversable } from '../local/host.ts'
import { networkFolder } from '../network/bridge.ts'

export const workingDirectory = '/workspace'
export const homeDirectory = '/home/agent'

/** Of one sandbox, unless said otherwise. */
export type Limits = {
  memoryBytes: number
  /** Of one process. */
  dataBytes: number
  processes: number
  /** Of one process. */
  openFiles: number
  /** Of one file. */
  fileBytes: number
  tmpBytes: number
  diskBytes: number
  /** Files, folders and links. */
  diskFiles: number
  /** Free space of the file system that no sandbox may use. */
  reserveBytes: number
  /** Of one snapshot, compressed. */
  snapshotBytes: number
}

export type Inside = {
  /** Host paths of the folder's parts, as the dropped user can reach them. */
  workspace: string
  home: string
  etc: string
  /** Host path of the folder with the socket to the network, if there is one. */
  network?: string | undefined
  /** Host folders that must not be seen even where they lie below a folder that is shown. */
  hidden: string[]
  env: Record<string, string>
  tmpBytes: number
  /** Descriptor of the filter of system calls, if there is one. */
  filter?: number | undefined
  /** For programs of ours only: the modes of files inside forbid no reading. */
  readsAll?: boolean
}

const ofTheSystem = /^\/usr(\/local)?(\/(bin|sbin|lib|lib32|lib64|libexec|include|share)(\/|$)|$)/

/** Those of `paths` that lie below /usr without being parts of the system, for example a checkout in /usr/src. */
export function exposedFolders(paths: string[]): string[] {
  const exposed = [...new Set(paths.filter((path) => path.startsWith('/usr/') && !ofTheSystem.test(path)))]
  return exposed.filter((path) => !exposed.some((above) => path.startsWith(`${above}/`)))
}

type SystemView = { system: string[]; path: string }

let shown: SystemView | undefined

/** The arguments that bubblewrap reads from its --args descriptor, followed by the program as ordinary arguments. */
export function bwrapArguments(inside: Inside): Buffer {
  const { system, path } = systemView()
  const env = { PATH: path, HOME: homeDirectory, LANG: 'C.UTF-8', TMPDIR: '/tmp', USER: 'agent', ...inside.env }
  const args = [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'],
    ['--cap-drop', 'ALL', ...(inside.readsAll === true ? ['--cap-add', 'CAP_DAC_READ_SEARCH'] : [])],
    inside.filter === undefined ? [] : ['--seccomp', String(inside.filter)],
    ['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox'],
    system,
    ['--ro-bind', inside.etc, '/etc'],
    ['--proc', '/proc', '--dev', '/dev'],
    ['--size', String(inside.tmpBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ['--size', String(inside.tmpBytes), '--perms', '1777', '--tmpfs', '/tmp'],
    ['--bind', inside.home, homeDirectory, '--bind', inside.workspace, workingDirectory],
    inside.network === undefined ? [] : ['--ro-bind', inside.network, networkFolder],
    exposedFolders(inside.hidden).flatMap((path) => ['--size', '4096', '--tmpfs', path, '--remount-ro', path]),
    ['--remount-ro', '/', '--chdir', workingDirectory],
    Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ].flat()
  if (args.some((arg) => arg.includes('\0'))) throw new TypeError('NUL in a path or an environment variable')
  return Buffer.from(`${args.join('\0')}\0`)
}

/** The programs and libraries of the machine, and where inside they are searched. */
export function systemView(): SystemView {
  if (shown !== undefined) return shown
  const node = nodeFolder()
  const system = ['--ro-bind', '/usr', '/usr', ...systemFolders(), ...(node ? ['--ro-bind', node, '/opt/node'] : [])]
  const path = `${node ? '/opt/node/bin:' : ''}/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin`
  shown = { system, path }
  return shown
}

/** The folder of this Node when it lies outside /usr and others may reach it, else undefined. */
function nodeFolder(): string | undefined {
  const folder = dirname(dirname(realpathSync(process.execPath)))
  return folder.startsWith('/usr') || folder === '/' || !isTraversable(folder) ? undefined : folder
}

function systemFolders(): string[] {
  return ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap((path) => {
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (entry === undefined) return []
    return entry.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
  })
}
