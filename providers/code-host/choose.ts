import type { RepositoryLedger } from '../../domain/repositories/stored.ts'
import type { BlobObjects } from '../blob/index.ts'
import type { AllowanceOptions } from './allowance.ts'
import type { GithubOptions } from './github/github.ts'
import type { CodeHostPort, GitHttpPort } from './index.ts'
import { createLocalCodeHost, createLocalGitHttp, type LocalCodeHostOptions } from './local/local.ts'
import { createStoreGitHttp } from './store/git-http.ts'
import type { StoreOptions } from './store/open.ts'
import { createStoreCodeHost } from './store/store.ts'

type CodeHostChoice =
  | { local: LocalCodeHostOptions }
  | { store: LocalCodeHostOptions & Pick<StoreOptions, 'maxCacheBytes'> }
  | { github: GithubOptions }

type Dependencies = {
  disk?: AllowanceOptions['disk']
  /** Objects that every machine reads and writes. Required by `store`. */
  objects: BlobObjects | undefined
  ledger: RepositoryLedger
}

/** Creates the code host of a deployment. Loads a vendor's library only if that vendor is configured. */
export async function createCodeHost(
  choice: CodeHostChoice,
  { disk, objects, ledger }: Dependencies,
): Promise<CodeHostPort> {
  if ('github' in choice) return (await import('./github/github.ts')).createGithubCodeHost(choice.github)
  if ('local' in choice) return createLocalCodeHost({ ...choice.local, disk })
  return createStoreCodeHost({ ...choice.store, disk, ledger, objects: requireObjects(objects) })
}

/** Creates the Git HTTP server. Returns undefined if the code host has its own server. `maxBytes` limits one push. */
export function createGitServer(
  choice: CodeHostChoice,
  { disk, objects, ledger, maxBytes, log }: Dependencies & { maxBytes: number; log: Log },
): GitHttpPort | undefined {
  if ('github' in choice) return undefined
  if ('local' in choice) return createLocalGitHttp({ ...choice.local, disk, maxBytes })
  return createStoreGitHttp({ ...choice.store, disk, ledger, objects: requireObjects(objects), maxBytes, log })
}

type Log = { warn(details: object, message: string): void }

function requireObjects(objects: BlobObjects | undefined): BlobObjects {
  if (objects === undefined) throw new Error('the code host store needs an object store')
  return objects
}
