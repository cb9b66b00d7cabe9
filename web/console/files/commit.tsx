import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'

/** Page of one commit of a workspace repository, with its message and patch. */
export function CommitPage() {
  const { owner = '', repository = '', commit = '' } = useParams({ strict: false })
  const path = { owner, repository, commit }
  const patch = useQuery({
    queryKey: ['commit', owner, repository, commit],
    queryFn: () => read(api.GET('/git/{owner}/{repository}/commit/{commit}', { params: { path }, parseAs: 'text' })),
    staleTime: Infinity,
  })
  return (
    <Page title={`Commit ${commit.slice(0, 10)}`}>
      <Loaded query={patch}>
        {(text) => (
          <pre className="output" tabIndex={0}>
            {text}
          </pre>
        )}
      </Loaded>
    </Page>
  )
}
