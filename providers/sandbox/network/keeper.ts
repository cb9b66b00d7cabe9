import type { Folder } from '../local/folder.ts'
import type { NetworkAccess } from './access.ts'
import type { Networks, OpenNetwork } from './open.ts'

/** Keeps the networks of detached commands open until the command ends or its sandbox stops. */
export type Keeper = {
  /** Keeps a network. Returns a function that releases it when the command has ended. */
  keep(sandbox: string, network: OpenNetwork | undefined): () => void
  /** Takes over the networks that dead processes left in a sandbox. Their commands get no credentials from then on. */
  adopt(sandbox: Folder, access: NetworkAccess): Promise<void>
  release(sandbox: string): Promise<void>
}

export function createKeeper(networks: Pick<Networks, 'revive'>): Keeper {
  const kept = new Map<string, Set<OpenNetwork>>()
  const add = (sandbox: string, network: OpenNetwork): void => {
    kept.set(sandbox, (kept.get(sandbox) ?? new Set()).add(network))
  }
  const forget = (sandbox: string, network: OpenNetwork): boolean => {
    const networks = kept.get(sandbox)
    const was = networks?.delete(network) ?? false
    if (networks?.size === 0) kept.delete(sandbox)
    return was
  }
  const close = async (sandbox: string, network: OpenNetwork): Promise<void> => {
    if (forget(sandbox, network)) await network.close()
  }
  return {
    keep: (sandbox, network) => {
      if (network === undefined) return () => {}
      add(sandbox, network)
      // If the folder cannot be removed now, it is removed with the sandbox.
      return () => void close(sandbox, network).catch(() => {})
    },
    adopt: async (folder, access) => {
      const { name } = folder.meta
      const own = new Set(Array.from(kept.get(name) ?? [], ({ path }) => path))
      for (const network of await networks.revive(folder, access, own)) add(name, network)
    },
    release: async (sandbox) => {
      for (const network of kept.get(sandbox) ?? []) await close(sandbox, network)
    },
  }
}
