import { randomBytes } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createAllowance, type AllowanceOptions } from '../allowance.ts'
import { checkName, createAddresses, defaultBranch, hasValidNames, type AddressOptions } from './addresses.ts'
import { bundleBranches, findHead, listTree, readFile, readTree, writeFile } from './bare-files.ts'
import { createFolderTarget, pushBundle } from './bare-push.ts'
import { git, gitLine } from '../git.ts'
import { changeOwner, findFileOwner } from './git-user.ts'
import type { CodeHostPort, GitHttpPort, RepositoryName } from '../index.ts'
import { commitFiles, compareFiles } from '../plain-files.ts'
import { listCommits } from './list-commits.ts'
import { createGitHttp } from './smart-http.ts'

export type LocalCodeHostOptions = AllowanceOptions & AddressOptions & { root: string }

export const maxLocalFileBytes = 2 * 1024 ** 3

/** Serves git over HTTP for the repositories below `root`. `maxBytes` limits one push. */
export function createLocalGitHttp(options: AllowanceOptions & { root: string; maxBytes: number }): GitHttpPort {
  const root = resolve(options.root)
  return createGitHttp({
    open: async (repository) => {
      if (!hasValidNames(repository)) return undefined
      const directory = resolveFolder(root, repository)
      return (await exists(directory)) ? { directory, close: async () => {} } : undefined
    },
    maxBytes: options.maxBytes,
    allowance: createAllowance(options),
  })
}

/** Stores bare repositories, which have no working tree, on the disk of this machine. */
export function createLocalCodeHost(options: LocalCodeHostOptions): CodeHostPort {
  const { owner, describe, ...addresses } = createAddresses(options)
  const root = resolve(options.root)
  const allowance = createAllowance(options)
  const resolveDirectory = (repository: RepositoryName): string => resolveFolder(root, repository)
  const createPushTarget = (repository: RepositoryName) => createFolderTarget(resolveDirectory(repository), allowance)

  const createRepository = async (directory: string, name: string): Promise<void> => {
    const draft = join(root, owner, `.${name}.${randomBytes(6).toString('hex')}`)
    const user = await findFileOwner(root)
    await mkdir(draft, { recursive: true, mode: 0o700 })
    await changeOwner(user, dirname(draft), draft)
    try {
      await fillRepository(draft, name)
      await rename(draft, directory)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      // Another process created the repository first, because `rename` fails if the target folder is not empty.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    }
  }

  return {
    maxFileBytes: Math.min(options.maxRepositoryBytes || maxLocalFileBytes, maxLocalFileBytes),
    ...addresses,
    ensureRepository: async (name) => {
      const directory = resolveDirectory({ owner, name })
      if (!(await exists(directory))) await createRepository(directory, name)
      return describe(name)
    },
    bundle: async function* (repository, known) {
      yield* bundleBranches(resolveDirectory(repository), known)
    },
    readTree: (repository) => readTree(resolveDirectory(repository), defaultBranch),
    findHead: (repository, branch) => findHead(resolveDirectory(repository), branch),
    listTree: (repository, { limit }) => listTree(resolveDirectory(repository), defaultBranch, limit),
    listCommits: (repository, options) => listCommits(resolveDirectory(repository), defaultBranch, options),
    readFile: (repository, path, { maxBytes }) =>
      readFile(resolveDirectory(repository), defaultBranch, { path, maxBytes }),
    writeFile: (repository, file) =>
      writeFile(resolveDirectory(repository), file.branch ?? defaultBranch, file, allowance),
    push: (repository, branch, bundle) => pushBundle(createPushTarget(repository), branch, bundle),
    compareFiles: (repository, files) => compareFiles(createPushTarget(repository), files),
    commitFiles: (repository, commit) => commitFiles(createPushTarget(repository), commit),
    deleteRepository: async (repository) => {
      const directory = resolveDirectory(repository)
      const deletedFolder = join(
        root,
        repository.owner,
        `.${repository.name}.removed-${randomBytes(6).toString('hex')}`,
      )
      try {
        await rename(directory, deletedFolder)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
        throw error
      }
      await rm(deletedFolder, { recursive: true, force: true })
    },
  }
}

/** Returns the folder of a repository. Throws `TypeError` for an invalid name. */
function resolveFolder(root: string, { owner, name }: RepositoryName): string {
  return join(root, checkName(owner), `${checkName(name)}.git`)
}

/** Creates the initial commit with plumbing commands, because a bare repository has no working tree. */
export async function fillRepository(directory: string, name: string): Promise<void> {
  await git(directory, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${defaultBranch}`])
  const readme = `# Workspace\n\nFiles of workspace ${name}.\n`
  const blob = await gitLine(directory, ['hash-object', '-w', '--stdin'], { stdin: readme })
  const tree = await gitLine(directory, ['mktree'], { stdin: `100644 blob ${blob}\tREADME.md\n` })
  const commit = await gitLine(directory, ['commit-tree', '-m', 'Initial commit'], { external: [tree] })
  await git(directory, ['update-ref'], { external: [`refs/heads/${defaultBranch}`, commit] })
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
