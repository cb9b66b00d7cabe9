import type { Folder } from '../local/folder.ts'
import type { NetworkAccess } from './access.ts'
import type { Networks, OpenNetwork } from './open.ts'

/** Keeps the networks of detached commands open until the command ends or its sandbox stops. */
export type Keeper = {
  /** Keeps a network. Returns a function that releases it when the command has ended. */
  keep(sandbox: string, network: OpenNetwork | undefined): () => void
  /** Reopens the networks of killed processes in a sandbox. Their commands get no credentials from then on. */
  adopt(sandbox: Folder, access: NetworkAccess): Promise<void>
  release(sandbox: string): Promise<void>
}

export function createKeeper(networks: Pick<Networks, 'revive'>): Keeper {
  const openNetworks = new Map<string, Set<OpenNetwork>>()
  const add = (sandbox: string, network: OpenNetwork): void => {
    openNetworks.set(sandbox, (openNetworks.get(sandbox) ?? new Set()).add(network))
  }
  const removeNetwork = (sandbox: string, network: OpenNetwork): boolean => {
    const networks = openNetworks.get(sandbox)
    const wasOpen = networks?.delete(network) ?? false
    if (networks?.size === 0) openNetworks.delete(sandbox)
    return wasOpen
  }
  const close = async (sandbox: string, network: OpenNetwork): Promise<void> => {
    if (removeNetwork(sandbox, network)) await network.close()
  }
  return {
    keep: (sandbox, network) => {
      if (network === undefined) return () => {}
      add(sandbox, network)
      // If removing the folder fails, it is removed with the sandbox.
      return () => void close(sandbox, network).catch(() => {})
    },
    adopt: async (folder, access) => {
      const { name } = folder.meta
      const ownPaths = new Set(Array.from(openNetworks.get(name) ?? [], ({ path }) => path))
      for (const network of await networks.revive(folder, access, ownPaths)) add(name, network)
    },
    release: async (sandbox) => {
      for (const network of openNetworks.get(sandbox) ?? []) await close(sandbox, network)
    },
  }
}
