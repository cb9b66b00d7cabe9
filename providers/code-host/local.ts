import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CodeHostPort, Repository, RepositoryTree } from './index.ts'

export type LocalCodeHostOptions = {
  root: string
  /** Clone addresses are `<baseUrl>/git/<owner>/<name>.git`. */
  baseUrl: string
  owner?: string
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const defaultBranch = 'main'
const mostBytes = 1024 ** 3

// Nothing of the host's or a user's git configuration applies, no hook runs, and no prompt waits for an answer.
const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Workspace',
  GIT_AUTHOR_EMAIL: 'workspace@localhost',
  GIT_COMMITTER_NAME: 'Workspace',
  GIT_COMMITTER_EMAIL: 'workspace@localhost',
}

const checkName = (name: string): string => {
  if (!namePattern.test(name) || name.includes('..') || name.endsWith('.git') || name.endsWith('.lock'))
    throw new TypeError('not a repository name')
  return name
}

const git = (directory: string, args: string[], stdin?: string): Promise<Buffer> =>
  new Promise((done, fail) => {
    const child = execFile(
      'git',
      ['--git-dir', directory, '-c', 'core.hooksPath=/dev/null', '-c', 'safe.directory=*', ...args],
      { cwd: '/', env: environment, encoding: 'buffer', maxBuffer: mostBytes, timeout: 120_000 },
      (error, stdout) => {
        if (error === null) done(stdout)
        else fail(new Error(`git ${args[0] ?? ''} failed`, { cause: error }))
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(stdin ?? '')
  })

const line = async (answering: Promise<Buffer>): Promise<string> => (await answering).toString().trim()

/** The initial commit by plumbing: there is no work tree. */
const fillRepository = async (directory: string, name: string): Promise<void> => {
  await git(directory, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${defaultBranch}`])
  const readme = `# Workspace\n\nFiles of workspace ${name}.\n`
  const blob = await line(git(directory, ['hash-object', '-w', '--stdin'], readme))
  const tree = await line(git(directory, ['mktree'], `100644 blob ${blob}\tREADME.md\n`))
  const commit = await line(git(directory, ['commit-tree', tree, '-m', 'Initial commit']))
  await git(directory, ['update-ref', `refs/heads/${defaultBranch}`, commit])
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

type TreeEntry = { path: string; blob: string }

/** Links and submodules are left out: only regular files are content. */
const parseTree = (listing: Buffer): TreeEntry[] =>
  listing
    .toString()
    .split('\0')
    .flatMap((entry) => {
      const found = /^100(?:644|755) blob ([0-9a-f]+)\t(.+)$/s.exec(entry)
      return found?.[1] && found[2] ? [{ blob: found[1], path: found[2] }] : []
    })

/** Reads `<id> blob <size>` lines each followed by that many bytes and a line feed. */
const parseBlobs = (batch: Buffer, entries: TreeEntry[]): RepositoryTree['files'] => {
  let at = 0
  return entries.map(({ path }) => {
    const end = batch.indexOf('\n', at)
    const size = Number(batch.subarray(at, end).toString().split(' ')[2])
    const content = batch.subarray(end + 1, end + 1 + size)
    at = end + 1 + size + 1
    return { path, content }
  })
}

/** Bare repositories on this machine's disk, handled by git without any work tree. */
export const createLocalCodeHost = (options: LocalCodeHostOptions): CodeHostPort => {
  const owner = checkName(options.owner ?? 'workspaces')
  const root = resolve(options.root)
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const directoryOf = (repository: Pick<Repository, 'owner' | 'name'>): string =>
    join(root, checkName(repository.owner), `${checkName(repository.name)}.git`)

  const make = async (directory: string, name: string): Promise<void> => {
    const draft = join(root, owner, `.${name}.${randomBytes(6).toString('hex')}`)
    await mkdir(draft, { recursive: true, mode: 0o700 })
    try {
      await fillRepository(draft, name)
      await rename(draft, directory)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      // Another maker was first: a folder that is not empty is never replaced.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    }
  }

  return {
    ensureRepository: async (name) => {
      const directory = directoryOf({ owner, name })
      if (!(await exists(directory))) await make(directory, name)
      return { owner, name, cloneUrl: `${baseUrl}/git/${owner}/${name}.git`, defaultBranch }
    },
    bundle: async (repository) => git(directoryOf(repository), ['bundle', 'create', '--quiet', '-', '--all']),
    readTree: async (repository) => {
      const directory = directoryOf(repository)
      const commit = await line(git(directory, ['rev-parse', `refs/heads/${defaultBranch}`]))
      const entries = parseTree(await git(directory, ['ls-tree', '-r', '-z', commit]))
      const wanted = entries.map(({ blob }) => `${blob}\n`).join('')
      return { commit, files: parseBlobs(await git(directory, ['cat-file', '--batch'], wanted), entries) }
    },
    deleteRepository: async (repository) => {
      const directory = directoryOf(repository)
      const doomed = join(root, repository.owner, `.${repository.name}.removed-${randomBytes(6).toString('hex')}`)
      try {
        await rename(directory, doomed)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
        throw error
      }
      await rm(doomed, { recursive: true, force: true })
    },
  }
}
