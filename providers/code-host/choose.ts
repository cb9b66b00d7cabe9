import type { RepositoryLedger } from '../../domain/repositories/stored.ts'
import type { BlobObjects } from '../blob/index.ts'
import type { AllowanceOptions } from './allowance.ts'
import type { GithubOptions } from './github/github.ts'
import type { CodeHostPort, GitHttpPort } from './index.ts'
import { createLocalCodeHost, createLocalGitHttp, type LocalCodeHostOptions } from './local/local.ts'
import { createStoreGitHttp } from './store/git-http.ts'
import type { StoreOptions } from './store/open.ts'
import { createStoreCodeHost } from './store/store.ts'

type Choice =
  | { local: LocalCodeHostOptions }
  | { store: LocalCodeHostOptions & Pick<StoreOptions, 'maxCacheBytes'> }
  | { github: GithubOptions }

type Parts = {
  disk?: AllowanceOptions['disk']
  /** Objects that every machine reads and writes. Required by `store`. */
  objects: BlobObjects | undefined
  ledger: RepositoryLedger
}

/** Creates the code host of a deployment. Loads a vendor's library only if it is used. */
export async function createCodeHost(choice: Choice, { disk, objects, ledger }: Parts): Promise<CodeHostPort> {
  if ('github' in choice) return (await import('./github/github.ts')).createGithubCodeHost(choice.github)
  if ('local' in choice) return createLocalCodeHost({ ...choice.local, disk })
  return createStoreCodeHost({ ...choice.store, disk, ledger, objects: requireObjects(objects) })
}

/** Creates the server of git over HTTP. Undefined if the code host has its own. `maxBytes` limits one push. */
export function createGitServer(
  choice: Choice,
  { disk, objects, ledger, maxBytes, log }: Parts & { maxBytes: number; log: Log },
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
