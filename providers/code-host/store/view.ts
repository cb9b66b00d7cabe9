import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refs, RepositoryLedger, StoredPack, StoredRepository } from '../../../domain/repositories/stored.ts'
import { git, GitError } from '../git.ts'
import type { RepositoryName } from '../index.ts'
import { defaultBranch } from '../local/addresses.ts'
import { findFileOwner, giveTo, makeOwned } from '../local/git-user.ts'
import { packName, type PackCache } from './pack-cache.ts'

/**
 * A bare repository in a temporary folder, with the refs that Postgres has at one time and hard links to the packs. Git
 * works on it without locks: what it writes is lost unless it is published.
 */
export type View = {
  readonly directory: string
  /** The stored repository that the view shows. */
  readonly stored: StoredRepository
  /** File names, without extension, of the packs that are in the object store. */
  readonly known: Set<string>
  /** Uploaded packs that no ref needs yet. */
  uncommitted: StoredPack[]
  /** Lists the refs of the view, which differ from those of `stored` after git has written. */
  listRefs(): Promise<Refs>
  /** Shows the refs of the newer state. Objects that were written stay. */
  show(stored: StoredRepository): Promise<void>
  close(): Promise<void>
}

/** Age of folders that a killed process has left: longer than any use of a view. */
const maxLeftoverAgeMs = 2 * 60 * 60 * 1000

export type ViewOptions = { root: string; ledger: RepositoryLedger; cache: PackCache }

export function createViews({ root, ledger, cache }: ViewOptions) {
  const folder = join(root, 'views')

  const make = async (stored: StoredRepository): Promise<View> => {
    await makeOwned(root, 'views')
    const directory = join(folder, randomBytes(12).toString('hex'))
    const packs = join(directory, 'objects', 'pack')
    const owner = await findFileOwner(folder)
    const show = async (newer: StoredRepository): Promise<void> => {
      view.stored = newer
      for (const pack of newer.packs) {
        if (view.known.has(packName(pack))) continue
        await cache.linkInto(packs, newer.id, pack)
        view.known.add(packName(pack))
      }
      await rm(join(directory, 'refs'), { recursive: true, force: true })
      await mkdir(join(directory, 'refs'))
      const lines = Object.entries(newer.refs).map(([ref, object]) => `${object} ${ref}\n`)
      await writeFile(join(directory, 'packed-refs'), lines.join(''))
      await giveTo(owner, join(directory, 'refs'), join(directory, 'packed-refs'))
    }
    const view = {
      directory,
      stored,
      known: new Set<string>(),
      uncommitted: [] as StoredPack[],
      show,
      listRefs: () => listRefs(directory),
      close: () => rm(directory, { recursive: true, force: true }),
    }
    try {
      await mkdir(packs, { recursive: true, mode: 0o700 })
      const [head, config] = [join(directory, 'HEAD'), join(directory, 'config')]
      await writeFile(head, `ref: refs/heads/${defaultBranch}\n`)
      await writeFile(config, '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[receive]\n\tunpackLimit = 1\n')
      await giveTo(owner, directory, join(directory, 'objects'), packs, head, config)
      await show(stored)
      return view
    } catch (error) {
      await view.close()
      throw error
    }
  }

  const open = async (repository: RepositoryName): Promise<View | undefined> => {
    const stored = await ledger.find(repository)
    return stored && make(stored)
  }

  return {
    /** Opens the current state of a repository. Undefined if it does not exist. */
    open,
    /** The same. Throws `GitError` if the repository does not exist. */
    openExisting: async (repository: RepositoryName): Promise<View> => {
      const view = await open(repository)
      if (view === undefined) throw absentRepository(repository)
      return view
    },
    /** A repository without refs and objects. */
    makeEmpty: (id: string): Promise<View> => make({ id, refs: {}, packs: [] }),
    /** Deletes the folders of killed processes. */
    tidy: async (): Promise<void> => {
      for (const name of await readdir(folder).catch(() => [])) {
        const found = await stat(join(folder, name)).catch(() => undefined)
        if (found !== undefined && Date.now() - found.mtimeMs > maxLeftoverAgeMs)
          await rm(join(folder, name), { recursive: true, force: true })
      }
    },
  }
}

export function absentRepository({ owner, name }: RepositoryName): GitError {
  return new GitError(`git has no repository ${owner}/${name}`)
}

/** Lists the packs that git has added to a view, by file name without extension. */
export async function listNewPacks({ directory, known }: View): Promise<string[]> {
  const files = await readdir(join(directory, 'objects', 'pack'))
  return files.flatMap((file) => {
    const name = file.slice(0, -'.idx'.length)
    return file.endsWith('.idx') && !known.has(name) ? [name] : []
  })
}

async function listRefs(directory: string): Promise<Refs> {
  const listed = await git(directory, ['for-each-ref', '--format=%(objectname) %(refname)'])
  const lines = listed.toString().split('\n').filter(Boolean)
  return Object.fromEntries(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]))
}
