import { parseSubmodules } from '../../domain/sandboxes/personal.ts'
import type { CodeHostPort, RepositoryName } from './index.ts'

/** Submodule whose repository is on this host and readable for the caller. */
export type ResolvedSubmodule = { path: string; url: string; repository: RepositoryName }

const maxBytes = 256 * 1024

/**
 * Lists the submodules of the default branch whose repositories are on this host and allowed by `mayReach`. Other URLs in
 * `.gitmodules` are ignored, because any committer can set them.
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

/** Resolves a path to the repository that contains it and the path inside this repository. */
export function resolvePath(
  repository: RepositoryName,
  submodules: ResolvedSubmodule[],
  path: string,
): { repository: RepositoryName; path: string } {
  const container = submodules.find((submodule) => path.startsWith(`${submodule.path}/`))
  return container === undefined
    ? { repository, path }
    : { repository: container.repository, path: path.slice(container.path.length + 1) }
}
