import { z } from 'zod'
import { requireHttps, requireSettings } from './requirements.ts'
import { anyText, anyUrl, count, positive, secret } from './values.ts'

const codeHostShape = {
  CODE_HOST: z
    .enum(['local', 'store', 'github'])
    .optional()
    .describe(
      'Location of workspace repositories: the disk of this machine (local), the object store and Postgres (store), or GitHub. Unset: store with BLOB_STORE=s3, otherwise local.',
    ),
  GIT_PUSH_MEGABYTES: positive(256).describe('Maximum size of a push to the embedded code host, in megabytes.'),
  GIT_REPOSITORY_MEGABYTES: count(2048).describe(
    'Maximum size of a repository of the embedded code host, in megabytes. 0: no limit.',
  ),
  GIT_CACHE_MEGABYTES: positive(4096).describe(
    'Disk space of a machine for copies of repositories with CODE_HOST=store, in megabytes.',
  ),
  GITHUB_ORGANIZATION: anyText().describe('Organization that owns the repositories on GitHub.'),
  GITHUB_TOKEN: secret('Token that can create, read, write and delete private repositories of GITHUB_ORGANIZATION.'),
  GITHUB_API_URL: anyUrl('https://api.github.com').describe(
    "URL of GitHub's API, or of the API of a GitHub Enterprise server (https://<host>/api/v3).",
  ),
}

type Values = z.output<z.ZodObject<typeof codeHostShape>> & { BLOB_STORE: 'local' | 'vercel' | 's3' }
export type CodeHost = NonNullable<Values['CODE_HOST']>
type CodeHostValues = Omit<Values, 'CODE_HOST'> & {
  CODE_HOST: CodeHost
  DATA_DIR: string
  baseUrl: string
  consoleUrl: string
}

/** Returns the code host. By default, repositories are in the same store as objects. */
export function chooseCodeHost({ CODE_HOST, BLOB_STORE }: Pick<Values, 'CODE_HOST' | 'BLOB_STORE'>): CodeHost {
  return CODE_HOST ?? (BLOB_STORE === 's3' ? 'store' : 'local')
}

/** Returns the settings for `createCodeHost`. */
export function codeHostSettings(config: CodeHostValues) {
  const addresses = { baseUrl: config.baseUrl, pagesUrl: config.consoleUrl }
  if (config.CODE_HOST === 'local') return { local: { ...repositorySettings(config), ...addresses } }
  if (config.CODE_HOST === 'store') return { store: { ...repositorySettings(config), ...addresses } }
  return {
    github: {
      apiUrl: config.GITHUB_API_URL,
      organization: config.GITHUB_ORGANIZATION ?? '',
      token: config.GITHUB_TOKEN ?? '',
    },
  }
}

/** Returns the folder and the size limits of the repositories that the API serves. */
function repositorySettings(config: Pick<CodeHostValues, 'CODE_HOST' | 'DATA_DIR' | SizeSetting>) {
  return {
    root: `${config.DATA_DIR}/${config.CODE_HOST === 'store' ? 'repository-store' : 'repositories'}`,
    maxRepositoryBytes: config.GIT_REPOSITORY_MEGABYTES * mebibyte,
    maxCacheBytes: config.GIT_CACHE_MEGABYTES * mebibyte,
  }
}

type SizeSetting = 'GIT_REPOSITORY_MEGABYTES' | 'GIT_CACHE_MEGABYTES'

const mebibyte = 1024 * 1024

export const codeHostGroup = { settings: codeHostShape, validate: validateCodeHost }

function validateCodeHost(config: Values): string[] {
  if (config.CODE_HOST === 'store' && config.BLOB_STORE !== 's3') return ['CODE_HOST=store requires BLOB_STORE=s3.']
  if (config.CODE_HOST !== 'github') return []
  return [
    ...requireSettings(config, ['GITHUB_ORGANIZATION', 'GITHUB_TOKEN'], 'with CODE_HOST=github'),
    ...requireHttps(config, ['GITHUB_API_URL']),
  ]
}
