import { z } from 'zod'
import { count, loopbackHostnames } from './values.ts'

const codeHostShape = {
  CODE_HOST: z.enum(['local', 'store', 'github']).optional().meta({
    description:
      'Location of workspace repositories: the disk of this machine (local), the object store and Postgres (store), or GitHub. Unset: store with BLOB_STORE=s3, otherwise local.',
  }),
  GIT_PUSH_MEGABYTES: count
    .min(1)
    .default(256)
    .meta({ description: 'Maximum size of a push to the embedded code host, in megabytes.' }),
  GIT_REPOSITORY_MEGABYTES: count.default(2048).meta({
    description: 'Maximum size of a repository of the embedded code host, in megabytes. 0: no limit.',
  }),
  GIT_CACHE_MEGABYTES: count.min(1).default(4096).meta({
    description: 'Disk space of a machine for copies of repositories with CODE_HOST=store, in megabytes.',
  }),
  GITHUB_ORGANIZATION: z
    .string()
    .optional()
    .meta({ description: 'Organization that owns the repositories on GitHub.' }),
  GITHUB_TOKEN: z.string().optional().meta({
    description: 'Token that can create, read, write and delete private repositories of GITHUB_ORGANIZATION.',
    secret: true,
  }),
  GITHUB_API_URL: z
    .url()
    .default('https://api.github.com')
    .meta({ description: "URL of GitHub's API, or of the API of a GitHub Enterprise server (https://<host>/api/v3)." }),
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
  const { protocol, hostname } = new URL(config.GITHUB_API_URL)
  return [
    ...(['GITHUB_ORGANIZATION', 'GITHUB_TOKEN'] as const)
      .filter((name) => config[name] === undefined)
      .map((name) => `${name} is required with CODE_HOST=github.`),
    ...(protocol === 'https:' || loopbackHostnames.has(hostname)
      ? []
      : ['GITHUB_API_URL must be an https URL; http is allowed only for localhost.']),
  ]
}
