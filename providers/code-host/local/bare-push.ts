import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRefName } from '../../../domain/repositories/ref-names.ts'
import type { Allowance } from '../allowance.ts'
import { findHead } from './bare-files.ts'
import { findGitLine, git, GitError, gitSettings } from '../git.ts'
import { changeOwner, createScratch, findFileOwner } from './git-user.ts'
import { CodeHostFullError, CodeHostRefusedError, type PushResult } from '../index.ts'

/** Target of a push: fetches its branches into a temporary repository and receives commits from it. */
export type PushTarget = {
  /** Folder of the repository, if it is on this disk. */
  directory?: string
  /** Returns the current maximum size of a bundle. Throws `CodeHostFullError` if the repository or the disk is full. */
  maxBundleBytes(): Promise<number>
  /** Fetches a branch as `refs/remotes/<branch>`. Does nothing if the target has no such branch. */
  fetchBranch(scratch: string, branch: string): Promise<void>
  /** Fetches older commits, on which a bundle may depend and which `fetchBranch` omitted. Returns false if there are none. */
  deepen?(scratch: string, branch: string): Promise<boolean>
  /** Fast-forwards the branch of the target. Throws `GitError` if the target rejects the push. */
  pushCommit(scratch: string, commit: string, branch: string): Promise<void>
}

const incoming = 'refs/incoming'

const maxAttempts = 5

/** Fast-forwards a branch to the commit that the bundle names, through a temporary repository. */
export async function pushBundle(
  target: PushTarget,
  branch: string,
  bundle: AsyncIterable<Uint8Array>,
): Promise<PushResult> {
  if (!isRefName(branch)) throw new CodeHostRefusedError('the branch name is not valid')
  const folder = await createScratch('backline-push-', target.directory)
  const scratch = join(folder, 'scratch.git')
  const file = join(folder, 'bundle')
  try {
    await git(scratch, ['init', '--quiet', '--bare', '--template='])
    await writeFile(file, limitSize(await target.maxBundleBytes(), bundle))
    await changeOwner(await findFileOwner(folder), file)
    return await fastForward(target, scratch, branch, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates a target for a bare repository on this disk. The temporary repository shares its objects without copies. */
export function createFolderTarget(directory: string, allowance: Allowance): PushTarget {
  return {
    directory,
    maxBundleBytes: () => allowance(directory),
    fetchBranch: async (scratch, branch) => {
      await mkdir(join(scratch, 'objects', 'info'), { recursive: true })
      const alternates = join(scratch, 'objects', 'info', 'alternates')
      await writeFile(alternates, `${join(directory, 'objects')}\n`)
      await changeOwner(await findFileOwner(scratch), dirname(alternates), alternates)
      const heads = await git(directory, [
        'for-each-ref',
        '--format=update refs/remotes/%(refname:lstrip=2) %(objectname)',
        'refs/heads',
      ])
      await git(scratch, ['update-ref', '--stdin'], { stdin: heads })
      if ((await findHead(directory, branch)) === undefined)
        await git(scratch, ['update-ref', '-d'], { external: [`refs/remotes/${branch}`] })
    },
    pushCommit: async (scratch, commit, branch) => {
      const maxBytes = await allowance(directory)
      const receive = ['git', ...gitSettings, '-c', `receive.maxInputSize=${maxBytes}`, 'receive-pack'].join(' ')
      const external = [directory, `${commit}:refs/heads/${branch}`]
      await git(scratch, ['push', '--quiet', '--no-verify', `--receive-pack=${receive}`], { external })
    },
  }
}

async function* limitSize(maxBytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw new CodeHostFullError('repository')
    yield chunk
  }
}

async function fastForward(target: PushTarget, scratch: string, branch: string, file: string): Promise<PushResult> {
  const remote = `refs/remotes/${branch}^{commit}`
  for (let attempt = 1; ; attempt++) {
    await target.fetchBranch(scratch, branch)
    let isFetched = await fetchBundle(scratch, file, branch)
    if (!isFetched && (await target.deepen?.(scratch, branch)) === true)
      isFetched = await fetchBundle(scratch, file, branch)
    const commit = isFetched
      ? await findGitLine(scratch, ['rev-parse', '--verify', '--quiet', `${incoming}^{commit}`])
      : undefined
    if (commit === undefined) throw new CodeHostRefusedError('git rejected the bundle')
    const head = await findGitLine(scratch, ['rev-parse', '--verify', '--quiet'], { external: [remote] })
    if (head !== undefined) {
      if (await isAncestor(scratch, commit, head)) return { outcome: 'unchanged', head }
      if (!(await isAncestor(scratch, head, commit))) return { outcome: 'moved', head }
    }
    try {
      await target.pushCommit(scratch, commit, branch)
      return { outcome: 'pushed', head: commit }
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      await target.fetchBranch(scratch, branch)
      const newHead = await findGitLine(scratch, ['rev-parse', '--verify', '--quiet'], { external: [remote] })
      // If the branch has not moved, the push was rejected for another reason.
      if (newHead === head) throw new CodeHostRefusedError('git rejected the push', { cause: error })
      if (attempt === maxAttempts) throw error
    }
  }
}

async function fetchBundle(scratch: string, file: string, branch: string): Promise<boolean> {
  const fileProtocolOnly = ['-c', 'protocol.allow=never', '-c', 'protocol.file.allow=always'] as const
  const fetch = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--update-shallow',
  ] as const
  const output = await findGitLine(scratch, [...fileProtocolOnly, ...fetch], {
    external: [file, `+refs/heads/${branch}:${incoming}`],
  })
  return output !== undefined
}

/** True if `base` is an ancestor of `commit` or equal to it. */
async function isAncestor(scratch: string, base: string, commit: string): Promise<boolean> {
  return (await findGitLine(scratch, ['merge-base', '--is-ancestor'], { external: [base, commit] })) !== undefined
}
