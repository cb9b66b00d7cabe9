import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import type { CodeHostPort, Repository, RepositoryName } from '../index.ts'

export type AddressOptions = {
  /** Clone URLs are `<baseUrl>/git/<owner>/<name>.git`. */
  baseUrl: string
  /** Base of the commit pages: `<pagesUrl>/commits/<owner>/<name>/<commit>`. Default: `baseUrl`. */
  pagesUrl?: string | undefined
  owner?: string | undefined
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
export const defaultBranch = 'main'

/** Builds and parses the URLs of the repositories that the API serves. */
export function createAddresses(options: AddressOptions): Pick<CodeHostPort, 'parseCloneUrl' | 'commitUrl'> & {
  cloneUrlPrefix: string
  owner: string
  describe: (name: string) => Repository
} {
  const owner = checkName(options.owner ?? 'workspaces')
  const baseUrl = withoutTrailingSlashes(options.baseUrl)
  const cloneUrlPrefix = `${baseUrl}/git/`
  const pagesUrl = withoutTrailingSlashes(options.pagesUrl ?? options.baseUrl)
  return {
    cloneUrlPrefix,
    owner,
    describe: (name) => ({ owner, name, cloneUrl: `${cloneUrlPrefix}${owner}/${checkName(name)}.git`, defaultBranch }),
    parseCloneUrl: (cloneUrl) => {
      const [repositoryOwner = '', file = '', ...rest] = cloneUrl.startsWith(cloneUrlPrefix)
        ? cloneUrl.slice(cloneUrlPrefix.length).split('/')
        : []
      const name = file.replace(/\.git$/, '')
      return rest.length === 0 && isName(repositoryOwner) && isName(name) ? { owner: repositoryOwner, name } : undefined
    },
    commitUrl: ({ owner, name }, commit) => `${pagesUrl}/commits/${checkName(owner)}/${checkName(name)}/${commit}`,
  }
}

/** Returns the name. Throws `TypeError` if it is not the name of an owner or of a repository. */
export function checkName(name: string): string {
  if (!isName(name)) throw new TypeError('not a repository name')
  return name
}

export function hasValidNames({ owner, name }: RepositoryName): boolean {
  return isName(owner) && isName(name)
}

function isName(name: string): boolean {
  return namePattern.test(name) && !name.includes('..') && !name.endsWith('.git') && !name.endsWith('.lock')
}
