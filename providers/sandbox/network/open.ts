import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import type { Folder } from '../local/folder.ts'
import type { NetworkAccess, NetworkReach } from './access.ts'
import { socketName, type Interpreter } from './bridge.ts'
import { publicInternet, type Internet } from './dial.ts'
import { createMeters, defaultNetworkLimits, type NetworkLimits } from './meter.ts'
import { createProxy } from './proxy.ts'

export type NetworkOptions = {
  reach: NetworkReach
  internet?: Internet
  limits?: Partial<NetworkLimits>
  /** Interpreter of the bridge. Default: Perl if it is installed, otherwise Node. */
  bridge?: Interpreter
}

/** Proxy of one execution. */
export type OpenNetwork = {
  /** Folder of the socket, relative to the folder of the sandbox. */
  path: string
  access: NetworkAccess
  bridge: Interpreter | undefined
  close(): Promise<void>
}

export type Networks = {
  /** Opens the network of an execution; undefined without `access`. `isDetached`: another process may revive the network. */
  open(folder: Folder, access: NetworkAccess | undefined, isDetached?: boolean): Promise<OpenNetwork | undefined>
  /** Reopens the networks of executions whose listening process was killed. `ownPaths`: networks of this process. */
  revive(folder: Folder, access: NetworkAccess, ownPaths: Set<string>): Promise<OpenNetwork[]>
}

/** Folder of the sockets, within the folder of a sandbox. */
export const networkParent = 'network'
const detachedPrefix = 'lasting-'

/**
 * Opens proxies on sockets in folders that only the host can write. Each socket is visible to one execution only, so it
 * identifies the execution of a request.
 */
export function createNetworks(options: NetworkOptions | undefined): Networks {
  if (options === undefined || options.reach === 'none')
    return { open: () => Promise.resolve(undefined), revive: () => Promise.resolve([]) }
  const { reach, internet = publicInternet } = options
  const meters = createMeters({ ...defaultNetworkLimits, ...options.limits })

  /** Opens a network. Its folder gets the final name only when the socket listens. */
  const openAt = async (
    { path: sandbox, meta }: Folder,
    access: NetworkAccess,
    { name, lastName = name }: { name: string; lastName?: string },
  ): Promise<OpenNetwork> => {
    const [first, last] = [join(sandbox, networkParent, name), join(sandbox, networkParent, lastName)]
    await mkdir(first, { recursive: true })
    // Independent of the umask, because the sandbox's user must be able to traverse the folder.
    for (const folder of [dirname(first), first]) await chmod(folder, 0o711)
    // A socket address is limited to about a hundred characters, which the path of a sandbox may exceed.
    const handle = await open(first)
    const proxy = createProxy({ access, reach, internet, meter: meters.acquire(meta.name) })
    const close = async (): Promise<void> => {
      proxy.close()
      meters.release(meta.name)
      await handle.close()
      for (const folder of new Set([first, last])) await rm(folder, { recursive: true, force: true })
    }
    try {
      await listen(proxy.server, buildSocketPath(handle))
      await chmod(join(first, socketName), 0o600)
      if (meta.uid !== undefined) await chown(join(first, socketName), meta.uid, meta.uid)
      if (first !== last) await rename(first, last)
    } catch (error) {
      await close()
      throw error
    }
    return { path: join(networkParent, lastName), access, bridge: options.bridge, close }
  }

  /** Reopens a network. Returns undefined if another process is listening. */
  const reopen = async (sandbox: Folder, access: NetworkAccess, name: string): Promise<OpenNetwork | undefined> => {
    const folder = join(sandbox.path, networkParent, name)
    const handle = await open(folder)
    const isInUse = await isListening(buildSocketPath(handle))
    await handle.close()
    if (isInUse) return undefined
    await rm(join(folder, socketName), { force: true })
    return openAt(sandbox, withoutCredentials(access), { name })
  }

  return {
    open: async (sandbox, access, isDetached = false) => {
      const name = randomBytes(6).toString('hex')
      return access && openAt(sandbox, access, { name, ...(isDetached && { lastName: `${detachedPrefix}${name}` }) })
    },
    revive: async (sandbox, access, ownPaths) => {
      const entries = await readdir(join(sandbox.path, networkParent)).catch(() => [])
      const remaining = entries.filter(
        (entry) => entry.startsWith(detachedPrefix) && !ownPaths.has(join(networkParent, entry)),
      )
      // Reopening fails if another process removes the folder.
      const revived = remaining.map((entry) => reopen(sandbox, access, entry).catch(() => undefined))
      return (await Promise.all(revived)).filter((network) => network !== undefined)
    },
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function buildSocketPath({ fd }: { fd: number }): string {
  return `/proc/self/fd/${fd}/${socketName}`
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** Returns access to the same services, but without added headers, so that requests carry no credentials. */
function withoutCredentials({ services }: NetworkAccess): NetworkAccess {
  return {
    services: services.map((service) => ({
      ...service,
      headers: async (path) => ((await service.headers(path)) === undefined ? undefined : {}),
    })),
  }
}
