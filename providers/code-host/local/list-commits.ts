import { git } from '../git.ts'
import type { ListedCommit } from '../index.ts'
import { findHead, isPlainPath } from './bare-files.ts'

const format = '%H%x00%s%x00%an%x00%cI%x00'
const fieldsPerCommit = 4

type Selection = { path?: string; limit: number }

/** Lists the commits of the branch, newest first. Returns an empty list if the branch does not exist. */
export async function listCommits(
  directory: string,
  branch: string,
  { path, limit }: Selection,
): Promise<ListedCommit[]> {
  const head = await findHead(directory, branch)
  if (head === undefined || (path !== undefined && !isPlainPath(path))) return []
  const external = path === undefined ? [head] : [head, '--', path]
  const output = await git(directory, ['log', `--format=${format}`, `--max-count=${limit}`], { external })
  const fields = output.toString().split('\0')
  return Array.from({ length: Math.floor(fields.length / fieldsPerCommit) }, (_, index) => {
    const [sha = '', message = '', author = '', committedAt = ''] = fields.slice(index * fieldsPerCommit)
    return { sha: sha.trim(), message, author, committedAt }
  })
}
