import { randomBytes } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import { createAllowance, type AllowanceOptions } from '../allowance.ts'
import { bundleBranches, findHead, listTree, readFile, readTree, writeFile } from './bare-files.ts'
import { folderTarget, pushBundle } from './bare-push.ts'
import { git, gitLine } from '../git.ts'
import { giveTo, findFileOwner } from './git-user.ts'
import type { CodeHostPort, GitHttpPort, RepositoryName } from '../index.ts'
import { commitFiles, compareFiles } from '../plain-files.ts'
import { listCommits } from './list-commits.ts'
import { createGitHttp } from './smart-http.ts'

export type LocalCodeHostOptions = AllowanceOptions & {
  root: string
  /** Clone URLs are `<baseUrl>/git/<owner>/<name>.git`. */
  baseUrl: string
  /** Base of the commit pages: `<pagesUrl>/commits/<owner>/<name>/<commit>`. Default: `baseUrl`. */
  pagesUrl?: string | undefined
  owner?: string
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const defaultBranch = 'main'
const fileLimitBytes = 2 * 1024 ** 3

/** Serves git over HTTP for the repositories in `root`. `maxBytes` limits one push. */
export function createLocalGitHttp(options: AllowanceOptions & { root: string; maxBytes: number }): GitHttpPort {
  const root = resolve(options.root)
  const gitHttp = createGitHttp({
    resolveDirectory: (repository) => resolveFolder(root, repository),
    maxBytes: options.maxBytes,
    allowance: createAllowance(options),
  })
  return {
    advertise: async (repository, request) =>
      hasValidName(repository) ? gitHttp.advertise(repository, request) : undefined,
    serve: async (repository, request) => (hasValidName(repository) ? gitHttp.serve(repository, request) : undefined),
    showCommit: async (repository, commit, limits) =>
      hasValidName(repository) ? gitHttp.showCommit(repository, commit, limits) : undefined,
  }
}

/** Stores bare repositories on the disk of this machine. Uses git without a work tree. */
export function createLocalCodeHost(options: LocalCodeHostOptions): CodeHostPort {
  const owner = checkName(options.owner ?? 'workspaces')
  const root = resolve(options.root)
  const baseUrl = withoutTrailingSlashes(options.baseUrl)
  const allowance = createAllowance(options)
  const resolveDirectory = (repository: RepositoryName): string => resolveFolder(root, repository)
  const createPushTarget = (repository: RepositoryName) => folderTarget(resolveDirectory(repository), allowance)

  const createRepository = async (directory: string, name: string): Promise<void> => {
    const draft = join(root, owner, `.${name}.${randomBytes(6).toString('hex')}`)
    const user = await findFileOwner(root)
    await mkdir(draft, { recursive: true, mode: 0o700 })
    await giveTo(user, dirname(draft), draft)
    try {
      await fillRepository(draft, name)
      await rename(draft, directory)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      // Another process created the repository first: rename never replaces a folder that is not empty.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    }
  }

  const clonePrefix = `${baseUrl}/git/`
  const pagesUrl = withoutTrailingSlashes(options.pagesUrl ?? options.baseUrl)

  return {
    maxFileBytes: Math.min(options.maxRepositoryBytes || fileLimitBytes, fileLimitBytes),
    parseCloneUrl: (cloneUrl) => {
      const [repositoryOwner = '', file = '', ...rest] = cloneUrl.startsWith(clonePrefix)
        ? cloneUrl.slice(clonePrefix.length).split('/')
        : []
      const name = file.replace(/\.git$/, '')
      return rest.length === 0 && isName(repositoryOwner) && isName(name) ? { owner: repositoryOwner, name } : undefined
    },
    commitUrl: ({ owner, name }, commit) => `${pagesUrl}/commits/${checkName(owner)}/${checkName(name)}/${commit}`,
    ensureRepository: async (name) => {
      const directory = resolveDirectory({ owner, name })
      if (!(await exists(directory))) await createRepository(directory, name)
      return { owner, name, cloneUrl: `${baseUrl}/git/${owner}/${name}.git`, defaultBranch }
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
      const removed = join(root, repository.owner, `.${repository.name}.removed-${randomBytes(6).toString('hex')}`)
      try {
        await rename(directory, removed)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
        throw error
      }
      await rm(removed, { recursive: true, force: true })
    },
  }
}

/** Returns the folder of a repository. Throws `TypeError` for an invalid name. */
function resolveFolder(root: string, { owner, name }: RepositoryName): string {
  return join(root, checkName(owner), `${checkName(name)}.git`)
}

function checkName(name: string): string {
  if (!isName(name)) throw new TypeError('the repository name is not valid')
  return name
}

function isName(name: string): boolean {
  return namePattern.test(name) && !name.includes('..') && !name.endsWith('.git') && !name.endsWith('.lock')
}

function hasValidName({ owner, name }: RepositoryName): boolean {
  return isName(owner) && isName(name)
}

/** Creates the initial commit with plumbing commands, because there is no work tree. */
async function fillRepository(directory: string, name: string): Promise<void> {
  await git(directory, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${defaultBranch}`])
  const readme = `# Workspace\n\nFiles of workspace ${name}.\n`
  const blob = await gitLine(directory, ['hash-object', '-w', '--stdin'], { stdin: readme })
  const tree = await gitLine(directory, ['mktree'], { stdin: `100644 blob ${blob}\tREADME.md\n` })
  const commit = await gitLine(directory, ['commit-tree', '-m', 'Initial commit'], { outside: [tree] })
  await git(directory, ['update-ref'], { outside: [`refs/heads/${defaultBranch}`, commit] })
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
