import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isTraversable } from '../local/host.ts'
import { networkFolder } from '../network/bridge.ts'

export const workingDirectory = '/workspace'
export const homeDirectory = '/home/agent'

/** Limits per sandbox, unless noted otherwise. */
export type Limits = {
  memoryBytes: number
  /** Per process. */
  dataBytes: number
  processes: number
  /** Per process. */
  openFiles: number
  /** Per file. */
  fileBytes: number
  tmpBytes: number
  diskBytes: number
  /** Number of files, folders and links. */
  diskFiles: number
  /** Free space of the file system that sandboxes must leave. */
  reserveBytes: number
  /** Compressed size of a snapshot. */
  snapshotBytes: number
}

export type SandboxView = {
  /** Host paths of the sandbox's folders, which the unprivileged user can reach. */
  workspace: string
  home: string
  etc: string
  /** Host path of the folder with the network socket, if there is one. */
  network?: string | undefined
  /** Host folders to hide even below a visible folder. */
  hidden: string[]
  env: Record<string, string>
  tmpBytes: number
  /** Descriptor of the system call filter, if there is one. */
  filter?: number | undefined
  /** Grants CAP_DAC_READ_SEARCH, so that file modes do not prevent reading. Only for programs of Backline. */
  readsAll?: boolean
}

const systemPath = /^\/usr(\/local)?(\/(bin|sbin|lib|lib32|lib64|libexec|include|share)(\/|$)|$)/

/** Returns the paths below /usr that are not part of the system, for example a checkout in /usr/src. */
export function exposedFolders(paths: string[]): string[] {
  const exposed = [...new Set(paths.filter((path) => path.startsWith('/usr/') && !systemPath.test(path)))]
  return exposed.filter((path) => !exposed.some((ancestor) => path.startsWith(`${ancestor}/`)))
}

type SystemView = { system: string[]; path: string }

let cachedView: SystemView | undefined

/** Encodes the arguments that bubblewrap reads from its --args descriptor. */
export function bwrapArguments(view: SandboxView): Buffer {
  const { system, path } = systemView()
  const env = { PATH: path, HOME: homeDirectory, LANG: 'C.UTF-8', TMPDIR: '/tmp', USER: 'agent', ...view.env }
  const args = [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'],
    ['--cap-drop', 'ALL', ...(view.readsAll === true ? ['--cap-add', 'CAP_DAC_READ_SEARCH'] : [])],
    view.filter === undefined ? [] : ['--seccomp', String(view.filter)],
    ['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox'],
    system,
    ['--ro-bind', view.etc, '/etc'],
    ['--proc', '/proc', '--dev', '/dev'],
    ['--size', String(view.tmpBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ['--size', String(view.tmpBytes), '--perms', '1777', '--tmpfs', '/tmp'],
    ['--bind', view.home, homeDirectory, '--bind', view.workspace, workingDirectory],
    view.network === undefined ? [] : ['--ro-bind', view.network, networkFolder],
    exposedFolders(view.hidden).flatMap((path) => ['--size', '4096', '--tmpfs', path, '--remount-ro', path]),
    ['--remount-ro', '/', '--chdir', workingDirectory],
    Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ].flat()
  if (args.some((arg) => arg.includes('\0'))) throw new TypeError('NUL in a path or an environment variable')
  return Buffer.from(`${args.join('\0')}\0`)
}

/** Returns the mounts of the machine's programs and libraries, and the PATH inside the sandbox. */
export function systemView(): SystemView {
  if (cachedView !== undefined) return cachedView
  const node = nodeFolder()
  const system = ['--ro-bind', '/usr', '/usr', ...systemFolders(), ...(node ? ['--ro-bind', node, '/opt/node'] : [])]
  const path = `${node ? '/opt/node/bin:' : ''}/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin`
  cachedView = { system, path }
  return cachedView
}

/** Returns the folder of the running Node.js if it is outside /usr and readable for other users; otherwise undefined. */
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
