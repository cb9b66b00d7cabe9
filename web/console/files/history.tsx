import { useGet } from '../access/queries.ts'
import { LoadedSection } from '../parts/loaded.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Time } from '../parts/words.tsx'

/** Commits that changed a file or folder, newest first. An empty path selects the entire repository. */
export function CommitHistory({ sessionId, path }: { sessionId: string; path: string }) {
  const input = { path: { sessionId }, query: path === '' ? {} : { path } }
  const history = useGet('history', '/api/sessions/{sessionId}/files/history', input, {
    select: ({ commits }) => commits,
  })
  return (
    <LoadedSection title="History" query={history} empty="No commits yet.">
      {(commits) => (
        <ol className="plain-list history" aria-label="Commits">
          {commits.map(({ sha, message, author, committedAt, url }) => (
            <li key={sha}>
              <SafeLink href={url}>{message}</SafeLink>
              <small className="quiet">
                {author}, <Time at={committedAt} />, <code>{sha.slice(0, 10)}</code>
              </small>
            </li>
          ))}
        </ol>
      )}
    </LoadedSection>
  )
}
