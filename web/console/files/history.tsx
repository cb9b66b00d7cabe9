import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Section } from '../parts/page.tsx'
import { Time } from '../parts/words.tsx'

/** Commits that changed a file or folder, newest first. An empty path selects the entire repository. */
export function CommitHistory({ sessionId, path }: { sessionId: string; path: string }) {
  const history = useQuery({
    queryKey: ['history', sessionId, path],
    queryFn: async () => {
      const query = path === '' ? {} : { path }
      const params = { path: { sessionId }, query }
      return (await read(api.GET('/api/sessions/{sessionId}/files/history', { params }))).commits
    },
  })
  return (
    <Section title="History">
      <Loaded query={history}>
        {(commits) =>
          commits.length === 0 ? (
            <p className="empty">No commits yet.</p>
          ) : (
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
          )
        }
      </Loaded>
    </Section>
  )
}
