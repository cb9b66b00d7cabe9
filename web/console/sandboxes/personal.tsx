import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { UploadForm } from '../files/upload-form.tsx'
import { Action } from '../parts/action.tsx'
import { TextField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { Status } from '../parts/words.tsx'

export function PersonalSandbox() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['personal-sandbox'],
    queryFn: () => read(api.GET('/api/sandboxes', { params: { query: forAccount() } })),
  })
  const setUp = async (): Promise<void> => {
    const { runId } = await read(api.POST('/api/sandboxes/setup', { body: forAccount() }))
    await navigate({ to: '/runs/$runId', params: { runId } })
  }
  const remove = async (): Promise<void> => {
    await read(api.DELETE('/api/sandboxes', { body: forAccount() }))
    await queries.invalidateQueries({ queryKey: ['personal-sandbox'] })
  }
  return (
    <Section title="Personal">
      <Loaded query={query}>
        {({ sandboxes, snapshot_id: snapshot, github_repo: repository, filetree: files }) => (
          <>
            <Facts
              facts={[
                [
                  'Status',
                  sandboxes[0] === undefined ? 'not running' : <Status key="status" of={sandboxes[0].sandboxStatus} />,
                ],
                ['Snapshot', snapshot === null ? 'none' : <code key="snapshot">{snapshot}</code>],
                ['Source', repository ?? 'none'],
                ['Files', files === null ? 'none' : `${files.filter(({ type }) => type === 'blob').length}`],
              ]}
            />
            <div className="buttons">
              <Action onAct={setUp}>{snapshot === null ? 'Set up' : 'Set up again'}</Action>
              {snapshot !== null && (
                <Action onAct={remove} confirm="Delete the personal sandbox and its snapshot?">
                  Delete
                </Action>
              )}
            </div>
            {repository !== null && (
              <details className="fold">
                <summary>Add files</summary>
                <UploadForm selectFolder={(fields) => fields.text('folder')}>
                  <TextField name="folder" label="Folder" placeholder="Root folder" spellCheck={false} />
                </UploadForm>
              </details>
            )}
            {files !== null && files.length > 0 && (
              <details>
                <summary>Files</summary>
                <ul className="plain-list">
                  {files.slice(0, 500).map(({ path, type }) => (
                    <li key={path}>
                      <code>
                        {path}
                        {type === 'tree' ? '/' : ''}
                      </code>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
