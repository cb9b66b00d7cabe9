import { randomUUID } from 'node:crypto'
import type { RefRefusal } from '../../../domain/repositories/stored.ts'
import { createInOrder } from '../../in-order.ts'
import { GitError } from '../git.ts'
import { CodeHostFullError, type CodeHostPort, type RepositoryName } from '../index.ts'
import { checkName, createAddresses, defaultBranch, type AddressOptions } from '../local/addresses.ts'
import { bundleBranches, listTree, readFile, readTree, writeFile } from '../local/bare-files.ts'
import { createFolderTarget, pushBundle, type PushTarget } from '../local/bare-push.ts'
import { listCommits } from '../local/list-commits.ts'
import { fillRepository, maxLocalFileBytes } from '../local/local.ts'
import { commitFiles, compareFiles } from '../plain-files.ts'
import { compact, deleteGarbage } from './maintenance.ts'
import { uploadNewPacks } from './new-packs.ts'
import { openStore, type StoreOptions } from './open.ts'
import { publish } from './publish.ts'
import type { View } from './view.ts'

const maxWriteAttempts = 30

/** Creates a code host for any number of machines, with the refs in Postgres and the packs in the object store. */
export function createStoreCodeHost(options: StoreOptions & AddressOptions): CodeHostPort {
  const { owner, describe, ...addresses } = createAddresses(options)
  const store = openStore(options)
  const { ledger, views, allowance, cache } = store

  const inOrder = createInOrder()

  const withView = async <T>(repository: RepositoryName, work: (view: View) => Promise<T>): Promise<T> => {
    const view = await views.openExisting(checkRepository(repository))
    try {
      return await work(view)
    } finally {
      await view.close()
    }
  }

  /** Runs the writers of a repository in this process in sequence. Concurrent writers would restart after each commit. */
  const withViewInOrder = <T>(repository: RepositoryName, work: (view: View) => Promise<T>): Promise<T> =>
    inOrder(`${repository.owner}/${repository.name}`, () => withView(repository, work))

  /** Publishes the changes of a view. If a ref was changed concurrently, refreshes the view and throws `RefsMovedError`. */
  const save = async (view: View, repository: RepositoryName): Promise<void> => {
    const [refusal] = (await publish(store, view, { repository })).values()
    if (refusal === undefined) return
    if (refusal === 'full' || refusal === 'too-many-refs') throw new CodeHostFullError('repository')
    await refresh(view, repository)
    throw new RefsMovedError(refusal)
  }

  const refresh = async (view: View, repository: RepositoryName): Promise<void> => {
    const current = await ledger.find(repository)
    if (current?.id !== view.stored.id) throw new GitError('the repository was deleted')
    await view.update(current)
  }

  const toTarget = (view: View, repository: RepositoryName): PushTarget => {
    const folder = createFolderTarget(view.directory, allowance)
    return {
      ...folder,
      fetchBranch: async (scratch, branch) => {
        await refresh(view, repository)
        await folder.fetchBranch(scratch, branch)
      },
      pushCommit: async (scratch, commit, branch) => {
        await folder.pushCommit(scratch, commit, branch)
        await save(view, repository)
      },
    }
  }

  const create = async (name: string): Promise<void> => {
    const view = await views.makeEmpty(randomUUID())
    try {
      await fillRepository(view.directory, name)
      const packs = await uploadNewPacks(store, view)
      // If another process has created the repository first, its repository stays and these packs become garbage.
      await ledger.create({ owner, name, id: view.stored.id, refs: await view.listRefs(), packs })
    } finally {
      await view.close()
    }
  }

  return {
    maxFileBytes: Math.min(options.maxRepositoryBytes || maxLocalFileBytes, maxLocalFileBytes),
    ...addresses,
    ensureRepository: async (name) => {
      const repository = describe(name)
      if ((await ledger.find(repository)) === undefined) await create(name)
      return repository
    },
    bundle: async function* (repository, known) {
      const view = await views.openExisting(checkRepository(repository))
      try {
        yield* bundleBranches(view.directory, known)
      } finally {
        await view.close()
      }
    },
    readTree: (repository) => withView(repository, ({ directory }) => readTree(directory, defaultBranch)),
    findHead: async (repository, branch) =>
      (await ledger.find(checkRepository(repository)))?.refs[`refs/heads/${branch}`],
    listTree: (repository, { limit }) =>
      withView(repository, ({ directory }) => listTree(directory, defaultBranch, limit)),
    listCommits: (repository, selection) =>
      withView(repository, ({ directory }) => listCommits(directory, defaultBranch, selection)),
    readFile: async (repository, path, { maxBytes }) => {
      const view = await views.open(checkRepository(repository))
      try {
        return view && (await readFile(view.directory, defaultBranch, { path, maxBytes }))
      } finally {
        await view?.close()
      }
    },
    writeFile: (repository, file) =>
      withViewInOrder(repository, async (view) => {
        for (let attempt = 1; ; attempt++) {
          try {
            const result = await writeFile(view.directory, file.branch ?? defaultBranch, file, allowance)
            await save(view, repository)
            return result
          } catch (error) {
            if (!(error instanceof RefsMovedError) || attempt === maxWriteAttempts) throw error
          }
        }
      }),
    push: (repository, branch, bundle) =>
      withView(repository, (view) => pushBundle(toTarget(view, repository), branch, bundle)),
    compareFiles: (repository, files) =>
      withView(repository, (view) => compareFiles(toTarget(view, repository), files)),
    commitFiles: (repository, commit) =>
      withView(repository, (view) => commitFiles(toTarget(view, repository), commit)),
    deleteRepository: (repository) => ledger.remove(checkRepository(repository)),
    maintain: async () => {
      await compact(store)
      await deleteGarbage(store)
    },
    tidy: async () => {
      await views.tidy()
      await cache.prune()
    },
  }
}

/** A ref changed while git worked on an older state. The work can be repeated on the current state. */
class RefsMovedError extends GitError {
  constructor(refusal: RefRefusal) {
    super(`the repository was changed concurrently (${refusal})`)
  }
}

function checkRepository(repository: RepositoryName): RepositoryName {
  checkName(repository.owner)
  checkName(repository.name)
  return repository
}
