import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/** Sources whose bugs appear mainly when a process dies. */
const durablePaths = [/^workers\//, /^workflows\//, /^engine\//, /^activities\//, /^db\/(log|postgres|turns)\//]

/** Lists the folders of the durable core with files that differ from `origin`, whether committed, uncommitted or untracked. */
export async function listDurableChanges(): Promise<string[]> {
  const [base] = await git('merge-base', 'HEAD', 'origin/HEAD')
  const changedFiles = await git('diff', '--name-only', base ?? 'HEAD')
  const untrackedFiles = await git('ls-files', '--others', '--exclude-standard')
  const files = [...changedFiles, ...untrackedFiles].filter((file) =>
    durablePaths.some((pattern) => pattern.test(file)),
  )
  return [...new Set(files.map((file) => dirname(file)))].sort()
}

async function git(...args: string[]): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)('git', args)
    return stdout.split('\n').filter(Boolean)
  } catch {
    return []
  }
}
