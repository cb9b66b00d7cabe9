import { createHash } from 'node:crypto'
import { Octokit } from '@octokit/rest'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import { bundleBranches, isPlainPath, readTree } from '../local/bare-files.ts'
import { pushBundle, type PushTarget } from '../local/bare-push.ts'
import { createGithubGit } from './git.ts'
import {
  CodeHostFileTooLargeError,
  CodeHostRefusedError,
  type CodeHostPort,
  type FileWrite,
  type Repository,
  type RepositoryName,
  type TreeEntry,
} from '../index.ts'
import { commitFiles, compareFiles } from '../plain-files.ts'

export type GithubOptions = {
  /** `https://api.github.com`, or `https://<host>/api/v3` of a GitHub Enterprise server. */
  apiUrl: string
  organization: string
  token: string
}

const defaultBranch = 'main'
/** GitHub rejects the complete push if it contains a larger file. */
const maxFileBytes = 100 * 1024 * 1024
const requestTimeoutMs = 30_000
const maxAttempts = 5

/** Manages the repositories of one GitHub organization over the REST API and git. The library does not retry requests. */
export function createGithubCodeHost({ apiUrl, organization, token }: GithubOptions): CodeHostPort {
  const web = toWebUrl(apiUrl)
  const octokit = new Octokit({
    auth: token,
    baseUrl: withoutTrailingSlashes(apiUrl),
    userAgent: 'backline',
    log: { debug: ignoreLog, info: ignoreLog, warn: ignoreLog, error: ignoreLog },
  })
  octokit.hook.before('request', (options) => {
    options.request = { ...options.request, signal: AbortSignal.timeout(requestTimeoutMs) }
  })
  const { repos, git: api } = octokit.rest
  const buildCloneUrl = (name: string): string => `${web}/${organization}/${name}.git`
  const remote = createGithubGit({ token, buildCloneUrl, isSecure: web.startsWith('https:') })

  const toParameters = ({ owner, name }: RepositoryName): { owner: string; repo: string } => {
    if (owner !== organization) throw new TypeError('the repository does not belong to the organization')
    return { owner, repo: name }
  }

  const findHead = async (repository: RepositoryName, branch: string): Promise<string | undefined> => {
    const response = await undefinedIfMissing(api.getRef({ ...toParameters(repository), ref: `heads/${branch}` }))
    return response?.data.object.sha
  }

  const createPushTarget = (repository: RepositoryName): PushTarget => {
    const hasBranch = async (name: string): Promise<boolean> => (await findHead(repository, name)) !== undefined
    return remote.createTarget(toParameters(repository).repo, { defaultBranch, hasBranch })
  }

  const readHead = async (repository: RepositoryName): Promise<string> => {
    const head = await findHead(repository, defaultBranch)
    if (head === undefined) throw new Error('the repository has no default branch')
    return head
  }

  /** Returns the file at a path; `other` for a folder, link or submodule; undefined if the path does not exist. */
  const readEntry = async (repository: RepositoryName, path: string, ref: string) => {
    const response = await undefinedIfMissing(repos.getContent({ ...toParameters(repository), path, ref }))
    if (response === undefined) return undefined
    const { data } = response
    // The API returns a folder as an array, and links and submodules with their own `type`.
    return Array.isArray(data) || data.type !== 'file' || !('content' in data) ? 'other' : data
  }

  /** Tries once to write a file. Returns undefined if a concurrent write changed it first. */
  const tryWrite = async (repository: RepositoryName, { path, content, message, branch }: Required<FileWrite>) => {
    const current = await readEntry(repository, path, branch)
    if (current === 'other') throw new CodeHostRefusedError('this path is not a regular file')
    if (current?.sha === blobId(content)) return { sha: current.sha, commit: await readHead(repository) }
    try {
      const { data } = await repos.createOrUpdateFileContents({
        ...toParameters(repository),
        path,
        message,
        branch,
        content: Buffer.from(content).toString('base64'),
        ...(current !== undefined && { sha: current.sha }),
      })
      return { sha: data.content?.sha ?? blobId(content), commit: data.commit.sha ?? '' }
    } catch (error) {
      if (readStatus(error) === 409) return undefined
      throw readStatus(error) === 422
        ? new CodeHostRefusedError('this path cannot be written', { cause: error })
        : error
    }
  }

  const describe = (name: string): Repository => ({
    owner: organization,
    name,
    cloneUrl: buildCloneUrl(name),
    defaultBranch,
  })

  return {
    maxFileBytes,
    parseCloneUrl: (cloneUrl) => {
      const prefix = `${web}/${organization}/`
      const name = cloneUrl.startsWith(prefix) ? cloneUrl.slice(prefix.length).replace(/\.git$/, '') : ''
      return /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name) ? { owner: organization, name } : undefined
    },
    commitUrl: ({ owner, name }, commit) => `${web}/${owner}/${name}/commit/${commit}`,
    ensureRepository: async (name) => {
      try {
        await repos.createInOrg({ org: organization, name, private: true, auto_init: true })
      } catch (error) {
        // GitHub returns 422 for several reasons. It means "exists" only if the repository can be read.
        if (readStatus(error) !== 422) throw error
      }
      const { data } = await repos.get({ owner: organization, repo: name })
      if (data.default_branch !== defaultBranch)
        await repos.renameBranch({
          owner: organization,
          repo: name,
          branch: data.default_branch,
          new_name: defaultBranch,
        })
      return describe(name)
    },
    bundle: async function* (repository, known) {
      const options = { refs: '+refs/heads/*:refs/heads/*' }
      yield* remote.readCopy(toParameters(repository).repo, options, (scratch) => bundleBranches(scratch, known))
    },
    readTree: (repository) =>
      remote.withCopy(
        toParameters(repository).repo,
        { refs: `+refs/heads/${defaultBranch}:refs/heads/${defaultBranch}`, depth: 1 },
        (scratch) => readTree(scratch, defaultBranch),
      ),
    findHead,
    listTree: async (repository, { limit }) => {
      const commit = await readHead(repository)
      const { data } = await api.getTree({ ...toParameters(repository), tree_sha: commit, recursive: 'true' })
      const all = data.tree.flatMap(({ path, type, sha, size }): TreeEntry[] =>
        isEntryType(type) ? [{ path, type, sha, ...(type === 'blob' && size !== undefined && { size }) }] : [],
      )
      return { commit, entries: all.slice(0, limit), truncated: data.truncated || all.length > limit }
    },
    listCommits: async (repository, { path, limit }) => {
      if (path !== undefined && !isPlainPath(path)) return []
      const { data } = await repos.listCommits({
        ...toParameters(repository),
        sha: defaultBranch,
        per_page: limit,
        ...(path !== undefined && { path }),
      })
      return data.map(({ sha, commit: { message, author, committer } }) => ({
        sha,
        message: message.split('\n')[0] ?? '',
        author: author?.name ?? '',
        committedAt: committer?.date ?? author?.date ?? '',
      }))
    },
    readFile: async (repository, path, { maxBytes }) => {
      if (!isPlainPath(path)) return undefined
      const entry = await readEntry(repository, path, defaultBranch)
      if (entry === undefined || entry === 'other') return undefined
      if (entry.size > maxBytes) throw new CodeHostFileTooLargeError(path)
      if (entry.encoding === 'base64') return Buffer.from(entry.content, 'base64')
      // GitHub omits the content of files larger than 1 MB.
      const { data } = await api.getBlob({ ...toParameters(repository), file_sha: entry.sha })
      return Buffer.from(data.content, 'base64')
    },
    writeFile: async (repository, file) => {
      if (!isPlainPath(file.path)) throw new CodeHostRefusedError('this path cannot be written')
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const result = await tryWrite(repository, { ...file, branch: file.branch ?? defaultBranch })
        if (result !== undefined) return result
      }
      throw new Error('the branch moved during every attempt')
    },
    push: async (repository, branch, bundle) => pushBundle(createPushTarget(repository), branch, bundle),
    compareFiles: async (repository, files) => compareFiles(createPushTarget(repository), files),
    commitFiles: async (repository, commit) => commitFiles(createPushTarget(repository), commit),
    deleteRepository: async (repository) => {
      await undefinedIfMissing(repos.delete(toParameters(repository)))
    },
  }
}

/** Derives the URL of the web interface from the URL of the API. */
function toWebUrl(apiUrl: string): string {
  const url = new URL(apiUrl)
  if (withoutTrailingSlashes(url.pathname) === '/api/v3') return url.origin
  return `${url.protocol}//${url.host.replace(/^api\./, '')}`
}

function ignoreLog(): void {}

/** Resolves to the response, or to undefined if GitHub reports that the object does not exist. */
async function undefinedIfMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    // GitHub returns 409 for a repository without commits.
    if (readStatus(error) === 404 || readStatus(error) === 409) return undefined
    throw error
  }
}

function readStatus(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined
}

function blobId(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

function isEntryType(type: string | undefined): type is TreeEntry['type'] {
  return type === 'blob' || type === 'tree' || type === 'commit'
}
