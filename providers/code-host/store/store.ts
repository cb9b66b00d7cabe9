import { randomUUID } from 'node:crypto'
import type { RefRefusal } from '../../../domain/repositories/stored.ts'
import { GitError } from '../git.ts'
import { CodeHostFullError, type CodeHostPort, type RepositoryName } from '../index.ts'
import { checkName, createAddresses, defaultBranch, type AddressOptions } from '../local/addresses.ts'
import { bundleBranches, listTree, readFile, readTree, writeFile } from '../local/bare-files.ts'
import { folderTarget, pushBundle, type PushTarget } from '../local/bare-push.ts'
import { listCommits } from '../local/list-commits.ts'
import { fillRepository, largestFile } from '../local/local.ts'
import { commitFiles, compareFiles } from '../plain-files.ts'
import { compact, deleteGarbage } from './maintenance.ts'
import { uploadNewPacks } from './new-packs.ts'
import { openStore, type StoreOptions } from './open.ts'
import { publish } from './publish.ts'
import type { View } from './view.ts'

const writeTries = 30

/** Repositories whose refs are in Postgres and whose packs are in the object store, for any number of machines. */
export function createStoreCodeHost(options: StoreOptions & AddressOptions): CodeHostPort {
  const { owner, describe, ...addresses } = createAddresses(options)
  const store = openStore(options)
  const { ledger, views, allowance, cache } = store

  const writers = new Map<string, Promise<undefined>>()

  const use = async <T>(repository: RepositoryName, work: (view: View) => Promise<T>): Promise<T> => {
    const view = await views.openExisting(check(repository))
    try {
      return await work(view)
    } finally {
      await view.close()
    }
  }

  /** Waits for earlier writers of this process, which would otherwise all start again after each of them. */
  const inTurn = async <T>(repository: RepositoryName, work: (view: View) => Promise<T>): Promise<T> => {
    const key = `${repository.owner}/${repository.name}`
    const before = writers.get(key)
    const writing = Promise.resolve(before).then(() => use(repository, work))
    const ended = writing.then(
      () => undefined,
      () => undefined,
    )
    writers.set(key, ended)
    try {
      return await writing
    } finally {
      if (writers.get(key) === ended) writers.delete(key)
    }
  }

  /** Stores what git wrote. Throws `RefsMovedError` if a ref moved meanwhile, and then shows its current state. */
  const save = async (view: View, repository: RepositoryName): Promise<void> => {
    const [refusal] = (await publish(store, view, { repository })).values()
    if (refusal === undefined) return
    if (refusal === 'full' || refusal === 'too-many-refs') throw new CodeHostFullError('repository')
    await refresh(view, repository)
    throw new RefsMovedError(refusal)
  }

  const refresh = async (view: View, repository: RepositoryName): Promise<void> => {
    const now = await ledger.find(repository)
    if (now?.id !== view.stored.id) throw new GitError('git lost the repository: it was deleted')
    await view.show(now)
  }

  const toTarget = (view: View, repository: RepositoryName): PushTarget => {
    const folder = folderTarget(view.directory, allowance)
    return {
      ...folder,
      bring: async (scratch, branch) => {
        await refresh(view, repository)
        await folder.bring(scratch, branch)
      },
      send: async (scratch, commit, branch) => {
        await folder.send(scratch, commit, branch)
        await save(view, repository)
      },
    }
  }

  const create = async (name: string): Promise<void> => {
    const view = await views.makeEmpty(randomUUID())
    try {
      await fillRepository(view.directory, name)
      const packs = await uploadNewPacks(store, view)
      // Another process may have created it: its repository stays, and these packs become garbage.
      await ledger.create({ owner, name, id: view.stored.id, refs: await view.listRefs(), packs })
    } finally {
      await view.close()
    }
  }

  return {
    maxFileBytes: Math.min(options.maxRepositoryBytes || largestFile, largestFile),
    ...addresses,
    ensureRepository: async (name) => {
      const repository = describe(name)
      if ((await ledger.find(repository)) === undefined) await create(name)
      return repository
    },
    bundle: async function* (repository, known) {
      const view = await views.openExisting(check(repository))
      try {
        yield* bundleBranches(view.directory, known)
      } finally {
        await view.close()
      }
    },
    readTree: (repository) => use(repository, ({ directory }) => readTree(directory, defaultBranch)),
    findHead: async (repository, branch) => (await ledger.find(check(repository)))?.refs[`refs/heads/${branch}`],
    listTree: (repository, { limit }) => use(repository, ({ directory }) => listTree(directory, defaultBranch, limit)),
    listCommits: (repository, selection) =>
      use(repository, ({ directory }) => listCommits(directory, defaultBranch, selection)),
    readFile: async (repository, path, { maxBytes }) => {
      const view = await views.open(check(repository))
      try {
        return view && (await readFile(view.directory, defaultBranch, { path, maxBytes }))
      } finally {
        await view?.close()
      }
    },
    writeFile: (repository, file) =>
      inTurn(repository, async (view) => {
        for (let attempt = 1; ; attempt++) {
          try {
            const written = await writeFile(view.directory, file.branch ?? defaultBranch, file, allowance)
            await save(view, repository)
            return written
          } catch (error) {
            if (!(error instanceof RefsMovedError) || attempt === writeTries) throw error
          }
        }
      }),
    push: (repository, branch, bundle) =>
      use(repository, (view) => pushBundle(toTarget(view, repository), branch, bundle)),
    compareFiles: (repository, files) => use(repository, (view) => compareFiles(toTarget(view, repository), files)),
    commitFiles: (repository, commit) => use(repository, (view) => commitFiles(toTarget(view, repository), commit)),
    deleteRepository: (repository) => ledger.remove(check(repository)),
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
    super(`git: the repository changed meanwhile (${refusal})`)
  }
}

function check(repository: RepositoryName): RepositoryName {
  checkName(repository.owner)
  checkName(repository.name)
  return repository
}
