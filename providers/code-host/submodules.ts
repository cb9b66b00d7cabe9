import { parseSubmodules } from '../../domain/sandboxes/personal.ts'
import type { CodeHostPort, RepositoryName } from './index.ts'

/** A submodule whose repository is ours and may be read. */
export type ResolvedSubmodule = { path: string; url: string; repository: RepositoryName }

const maxBytes = 256 * 1024

/**
 * The submodules of the default branch that lead to repositories of this host which `mayReach` allows. Every other
 * address, which every committer can set, is not followed.
 */
export async function listSubmodules(
  codeHost: CodeHostPort,
  repository: RepositoryName,
  mayReach: (repository: RepositoryName) => Promise<boolean>,
): Promise<ResolvedSubmodule[]> {
  const bytes = await codeHost.readFile(repository, '.gitmodules', { maxBytes })
  const resolved: ResolvedSubmodule[] = []
  for (const { path, url } of bytes === undefined ? [] : parseSubmodules(Buffer.from(bytes).toString())) {
    const target = codeHost.parseCloneUrl(url)
    if (target !== undefined && (await mayReach(target))) resolved.push({ path, url, repository: target })
  }
  return resolved
}

/** The repository that a path leads into, and the path there. */
export function locate(
  repository: RepositoryName,
  submodules: ResolvedSubmodule[],
  path: string,
): { repository: RepositoryName; path: string } {
  const inside = submodules.find((submodule) => path.startsWith(`${submodule.path}/`))
  return inside === undefined
    ? { repository, path }
    : { repository: inside.repository, path: path.slice(inside.path.length + 1) }
}
