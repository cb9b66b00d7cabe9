import { SafeLink } from '../../parts/markdown.tsx'

/** Displayed fields of a `data-commit` part: the commit or the error, and the paths that are not in the commit. */
export type CommitData = {
  commitMessage?: string
  commitSha?: string
  url?: string
  error?: string
  leftOut?: { count: number; paths: { path: string; reason: string }[] }
}

const reasons: Record<string, string> = {
  unreadable: 'cannot be read',
  'too-large': 'is too large for the repository',
  'not-allowed': 'has a name or content that the repository does not allow',
  submodule: 'contains commits that are missing from its remote repository',
}

export function CommitNote({ data: { error, leftOut, commitMessage, commitSha, url } }: { data: CommitData }) {
  if (error === undefined && leftOut === undefined && commitSha === undefined) return null
  return (
    <div className="quiet" role="note">
      {commitSha !== undefined && (
        <p>
          Committed: <SafeLink href={url ?? ''}>{commitMessage ?? commitSha.slice(0, 10)}</SafeLink>
        </p>
      )}
      {error !== undefined && <p>Commit and push failed: {error}.</p>}
      {leftOut !== undefined && (
        <details open={leftOut.count <= 5}>
          <summary>
            {leftOut.count} {leftOut.count === 1 ? 'path is' : 'paths are'} not in the commit
          </summary>
          <ul>
            {leftOut.paths.map(({ path, reason }) => (
              <li key={path}>
                <code>{path}</code> {reasons[reason] ?? reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
