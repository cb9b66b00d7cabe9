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
  /** What the bridge inside runs on. Default: Perl where it is, else Node. */
  bridge?: Interpreter
}

/** A proxy that listens for one execution. */
export type OpenNetwork = {
  /** Folder of the socket, relative to the sandbox's own. */
  path: string
  access: NetworkAccess
  bridge: Interpreter | undefined
  close(): Promise<void>
}

export type Networks = {
  /** The network of one execution; undefined where it has none. One that lasts may be revived. */
  open(folder: Folder, access: NetworkAccess | undefined, lasts?: boolean): Promise<OpenNetwork | undefined>
  /** Listens again for executions that have outlived the process that listened for them. `own`: paths of this one's. */
  revive(folder: Folder, access: NetworkAccess, own: Set<string>): Promise<OpenNetwork[]>
}

/** Where the sockets of a sandbox are, in its folder. */
export const networkParent = 'network'
const lasting = 'lasting-'

/**
 * Proxies on sockets in folders that only the host writes, each shown to one execution only: the socket that a request
 * comes through says whose it is.
 */
export function createNetworks(options: NetworkOptions | undefined): Networks {
  if (options === undefined || options.reach === 'none')
    return { open: () => Promise.resolve(undefined), revive: () => Promise.resolve([]) }
  const { reach, internet = publicInternet } = options
  const meters = createMeters({ ...defaultNetworkLimits, ...options.limits })

  /** Its folder gets its last name only once it listens. */
  const openAt = async (
    { path: sandbox, meta }: Folder,
    access: NetworkAccess,
    { name, lastName = name }: { name: string; lastName?: string },
  ): Promise<OpenNetwork> => {
    const [first, last] = [join(sandbox, networkParent, name), join(sandbox, networkParent, lastName)]
    await mkdir(first, { recursive: true })
    // Whatever the mask of this process: the sandbox's user has to walk there.
    for (const folder of [dirname(first), first]) await chmod(folder, 0o711)
    // The address of a socket holds some hundred characters, which the path of a sandbox may pass.
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
      // Another process may be about to remove it.
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

/** The same places, asked with nothing of ours. */
function withoutCredentials({ services }: NetworkAccess): NetworkAccess {
  return {
    services: services.map((service) => ({
      ...service,
      headers: async (path) => ((await service.headers(path)) === undefined ? undefined : {}),
    })),
  }
}
