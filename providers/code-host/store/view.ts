import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refs, RepositoryLedger, StoredPack, StoredRepository } from '../../../domain/repositories/stored.ts'
import { git, GitError } from '../git.ts'
import type { RepositoryName } from '../index.ts'
import { defaultBranch } from '../local/addresses.ts'
import { findFileOwner, changeOwner, createOwnedFolder } from '../local/git-user.ts'
import { packName, type PackCache } from './pack-cache.ts'

/**
 * A bare repository in a temporary folder: a snapshot of the refs in Postgres, with hard links to the packs. Git writes to it
 * without locks. Changes are lost unless they are published.
 */
export type View = {
  readonly directory: string
  /** State of the repository in Postgres that the view is based on. */
  readonly stored: StoredRepository
  /** File names, without extension, of the packs that are in the object store. */
  readonly storedPacks: Set<string>
  /** Uploaded packs that are not committed to Postgres. */
  uncommitted: StoredPack[]
  /** Lists the refs of the view, which differ from the refs of `stored` after git has changed them. */
  listRefs(): Promise<Refs>
  /** Replaces the refs with the refs of a newer state. Keeps the objects that git has written. */
  update(stored: StoredRepository): Promise<void>
  close(): Promise<void>
}

/** Age at which the folder of a killed process is deleted. Must exceed the duration of any use of a view. */
const maxLeftoverAgeMs = 2 * 60 * 60 * 1000

export type ViewOptions = { root: string; ledger: RepositoryLedger; cache: PackCache }

export function createViews({ root, ledger, cache }: ViewOptions) {
  const folder = join(root, 'views')

  const createView = async (stored: StoredRepository): Promise<View> => {
    await createOwnedFolder(root, 'views')
    const directory = join(folder, randomBytes(12).toString('hex'))
    const packs = join(directory, 'objects', 'pack')
    const owner = await findFileOwner(folder)
    const update = async (newer: StoredRepository): Promise<void> => {
      view.stored = newer
      for (const pack of newer.packs) {
        if (view.storedPacks.has(packName(pack))) continue
        await cache.linkInto(packs, newer.id, pack)
        view.storedPacks.add(packName(pack))
      }
      await rm(join(directory, 'refs'), { recursive: true, force: true })
      await mkdir(join(directory, 'refs'))
      const lines = Object.entries(newer.refs).map(([ref, object]) => `${object} ${ref}\n`)
      await writeFile(join(directory, 'packed-refs'), lines.join(''))
      await changeOwner(owner, join(directory, 'refs'), join(directory, 'packed-refs'))
    }
    const view = {
      directory,
      stored,
      storedPacks: new Set<string>(),
      uncommitted: [] as StoredPack[],
      update,
      listRefs: () => listRefs(directory),
      close: () => rm(directory, { recursive: true, force: true }),
    }
    try {
      await mkdir(packs, { recursive: true, mode: 0o700 })
      const [head, config] = [join(directory, 'HEAD'), join(directory, 'config')]
      await writeFile(head, `ref: refs/heads/${defaultBranch}\n`)
      await writeFile(config, '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[receive]\n\tunpackLimit = 1\n')
      await changeOwner(owner, directory, join(directory, 'objects'), packs, head, config)
      await update(stored)
      return view
    } catch (error) {
      await view.close()
      throw error
    }
  }

  const open = async (repository: RepositoryName): Promise<View | undefined> => {
    const stored = await ledger.find(repository)
    return stored && createView(stored)
  }

  return {
    /** Opens the current state of a repository. Returns undefined if the repository does not exist. */
    open,
    /** Like `open`, but throws `GitError` if the repository does not exist. */
    openExisting: async (repository: RepositoryName): Promise<View> => {
      const view = await open(repository)
      if (view === undefined) throw repositoryNotFound(repository)
      return view
    },
    /** Creates a view of a new repository without refs and objects. */
    makeEmpty: (id: string): Promise<View> => createView({ id, refs: {}, packs: [] }),
    /** Deletes the folders of killed processes. */
    tidy: async (): Promise<void> => {
      for (const name of await readdir(folder).catch(() => [])) {
        const stats = await stat(join(folder, name)).catch(() => undefined)
        if (stats !== undefined && Date.now() - stats.mtimeMs > maxLeftoverAgeMs)
          await rm(join(folder, name), { recursive: true, force: true })
      }
    },
  }
}

export function repositoryNotFound({ owner, name }: RepositoryName): GitError {
  return new GitError(`the repository ${owner}/${name} does not exist`)
}

/** Lists the packs that git has added to a view, by file name without extension. */
export async function listNewPacks({ directory, storedPacks }: View): Promise<string[]> {
  const files = await readdir(join(directory, 'objects', 'pack'))
  return files.flatMap((file) => {
    const name = file.slice(0, -'.idx'.length)
    return file.endsWith('.idx') && !storedPacks.has(name) ? [name] : []
  })
}

async function listRefs(directory: string): Promise<Refs> {
  const output = await git(directory, ['for-each-ref', '--format=%(objectname) %(refname)'])
  const lines = output.toString().split('\n').filter(Boolean)
  return Object.fromEntries(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]))
}
