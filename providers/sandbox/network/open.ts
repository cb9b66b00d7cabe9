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

/** The proxy of one execution. */
export type OpenNetwork = {
  /** Folder of the socket, relative to the sandbox's own. */
  path: string
  access: NetworkAccess
  bridge: Interpreter | undefined
  close(): Promise<void>
}

export type Networks = {
  /** Opens the network of one execution; undefined if it has none. That of a detached command may be revived later. */
  open(folder: Folder, access: NetworkAccess | undefined, lasts?: boolean): Promise<OpenNetwork | undefined>
  /** Listens again for executions whose listening process has died. `own`: paths of this process. */
  revive(folder: Folder, access: NetworkAccess, own: Set<string>): Promise<OpenNetwork[]>
}

/** Folder of the sockets, within the folder of a sandbox. */
export const networkParent = 'network'
const lasting = 'lasting-'

/**
 * Opens proxies on sockets in folders that only the host can write. Each socket is visible to one execution only, so it
 * identifies the execution of a request.
 */
export function createNetworks(options: NetworkOptions | undefined): Networks {
  if (options === undefined || options.reach === 'none')
    return { open: () => Promise.resolve(undefined), revive: () => Promise.resolve([]) }
  const { reach, internet = publicInternet } = options
  const meters = createMeters({ ...defaultNetworkLimits, ...options.limits })

  /** The folder gets its final name only when the socket listens. */
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
    const proxy = createProxy({ access, reach, internet, meter: meters.take(meta.name) })
    const close = async (): Promise<void> => {
      proxy.close()
      meters.give(meta.name)
      await handle.close()
      for (const folder of new Set([first, last])) await rm(folder, { recursive: true, force: true })
    }
    try {
      await listen(proxy.server, addressIn(handle))
      await chmod(join(first, socketName), 0o600)
      if (meta.uid !== undefined) await chown(join(first, socketName), meta.uid, meta.uid)
      if (first !== last) await rename(first, last)
    } catch (error) {
      await close()
      throw error
    }
    return { path: join(networkParent, lastName), access, bridge: options.bridge, close }
  }

  /** Undefined if another process listens there. */
  const reopen = async (sandbox: Folder, access: NetworkAccess, name: string): Promise<OpenNetwork | undefined> => {
    const folder = join(sandbox.path, networkParent, name)
    const handle = await open(folder)
    const served = await isServed(addressIn(handle))
    await handle.close()
    if (served) return undefined
    await rm(join(folder, socketName), { force: true })
    return openAt(sandbox, withoutCredentials(access), { name })
  }

  return {
    open: async (sandbox, access, lasts = false) => {
      const name = randomBytes(6).toString('hex')
      return access && openAt(sandbox, access, { name, ...(lasts && { lastName: `${lasting}${name}` }) })
    },
    revive: async (sandbox, access, own) => {
      const entries = await readdir(join(sandbox.path, networkParent)).catch(() => [])
      const left = entries.filter((entry) => entry.startsWith(lasting) && !own.has(join(networkParent, entry)))
      // Another process may be removing it.
      const revived = left.map((entry) => reopen(sandbox, access, entry).catch(() => undefined))
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

function addressIn({ fd }: { fd: number }): string {
  return `/proc/self/fd/${fd}/${socketName}`
}

function isServed(path: string): Promise<boolean> {
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
