import { useParams } from '@tanstack/react-router'
import { useGet } from '../access/queries.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Output } from '../parts/output.tsx'
import { Page } from '../parts/page.tsx'

/** Page of one commit of a workspace repository, with its message and patch. */
export function CommitPage() {
  const { owner = '', repository = '', commit = '' } = useParams({ strict: false })
  const input = { path: { owner, repository, commit }, parseAs: 'text' as const }
  const patch = useGet('commit', '/git/{owner}/{repository}/commit/{commit}', input, { staleTime: Infinity })
  return (
    <Page title={`Commit ${commit.slice(0, 10)}`}>
      <Loaded query={patch}>{(text) => <Output text={text} />}</Loaded>
    </Page>
  )
}
