import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PushTarget } from '../local/bare-push.ts'
import { git } from '../git.ts'

export type GithubGitOptions = { token: string; buildCloneUrl: (name: string) => string; isSecure: boolean }

const networkTimeoutMs = 8 * 60_000
/** Push size limit of GitHub. */
const maxPushBytes = 2 * 1024 ** 3

/** Accesses GitHub with git, from a temporary bare repository per operation. The token is never in an argument or a file. */
export function createGithubGit({ token, buildCloneUrl, isSecure }: GithubGitOptions) {
  const credential = Buffer.from(`x-access-token:${token}`).toString('base64')
  const env = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${credential}`,
  }
  const scheme = isSecure ? 'https' : 'http'
  const allowScheme = `protocol.${scheme}.allow=always` as const
  const settings = ['-c', 'protocol.allow=never', '-c', allowScheme, '-c', 'http.followRedirects=false'] as const
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'] as const
  const fetchArguments = [...settings, ...fetch] as const
  const remoteOptions = (name: string, ...refs: string[]) => ({
    external: [buildCloneUrl(name), ...refs],
    env,
    timeoutMs: networkTimeoutMs,
  })

  type CopyOptions = { refs: string; depth?: number }

  /** Runs `work` in a temporary repository that contains the given refs of the remote. */
  const withCopy = async <T>(name: string, options: CopyOptions, work: (scratch: string) => Promise<T>): Promise<T> => {
    const folder = await mkdtemp(join(tmpdir(), 'backline-github-'))
    try {
      return await work(await copy(folder, name, options))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Streams from a temporary copy, which is deleted after the last chunk or when the reader stops. */
  async function* readCopy(
    name: string,
    options: CopyOptions,
    read: (scratch: string) => AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const folder = await mkdtemp(join(tmpdir(), 'backline-github-'))
    try {
      yield* read(await copy(folder, name, options))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const copy = async (folder: string, name: string, { refs, depth }: CopyOptions): Promise<string> => {
    const scratch = join(folder, 'scratch.git')
    await git(scratch, ['init', '--quiet', '--bare', '--template='])
    const shallow = depth === undefined ? ([] as const) : ([`--depth=${depth}`] as const)
    await git(scratch, [...fetchArguments, ...shallow], remoteOptions(name, refs))
    return scratch
  }

  /** Creates a push target. It first fetches only the newest commit, because a push rarely needs older commits. */
  const createTarget = (
    name: string,
    { defaultBranch, hasBranch }: { defaultBranch: string; hasBranch: (branch: string) => Promise<boolean> },
  ): PushTarget => ({
    maxBundleBytes: () => Promise.resolve(maxPushBytes),
    fetchBranch: async (scratch, branch) => {
      const exists = await hasBranch(branch)
      const source = exists ? branch : defaultBranch
      const refs = `+refs/heads/${source}:refs/remotes/${source}`
      await git(scratch, [...fetchArguments, '--depth=1', '--update-shallow'], remoteOptions(name, refs))
      if (!exists) await git(scratch, ['update-ref', '-d'], { external: [`refs/remotes/${branch}`] })
    },
    deepen: async (scratch, branch) => {
      if (!(await isShallow(scratch))) return false
      const source = (await hasBranch(branch)) ? branch : defaultBranch
      const refs = `+refs/heads/${source}:refs/remotes/${source}`
      await git(scratch, [...fetchArguments, '--unshallow'], remoteOptions(name, refs))
      return true
    },
    pushCommit: async (scratch, commit, branch) => {
      const outgoing = remoteOptions(name, `${commit}:refs/heads/${branch}`)
      await git(scratch, [...settings, 'push', '--quiet', '--no-verify'], outgoing)
    },
  })

  return { withCopy, readCopy, createTarget }
}

function isShallow(scratch: string): Promise<boolean> {
  return access(join(scratch, 'shallow')).then(
    () => true,
    () => false,
  )
}
